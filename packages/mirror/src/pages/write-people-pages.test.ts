import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { DerivedFiles } from '../files/derived-files.ts';
import { readPeople, writePerson } from '../people/person-rows.ts';
import { openNamedPages, paths, transcript } from '../testing/open-named-pages.ts';
import { mirrorFolder } from './write-pages.ts';
import { writePeoplePages } from './write-people-pages.ts';

const { captions, page, script } = paths;
const ada = 'pages/people/Ada.md';
let pages: ReturnType<typeof openNamedPages>;

beforeEach(() => {
  pages = openNamedPages();
});

describe('the page of a person', () => {
  beforeEach(async () => {
    pages.name('Speaker 1', 'Ada');
    await pages.write();
  });

  test('stays as its owner edited it, without an update or a warning', async () => {
    pages.edit(ada, 'My notes.');
    for (const change of [
      () => pages.keep({ transcript, name: 'Daily' }),
      () => pages.unname('Speaker 1'),
      () => pages.name('Speaker 2', 'Ada'),
    ]) {
      change();
      expect(await pages.write()).toMatchObject({ warnings: [] });
      expect(await pages.written()).toEqual([]);
    }
    expect(pages.read(ada)).toBe('My notes.');
    expect(pages.listed('pages/people')).toEqual(['Ada.md']);
    expect(pages.read(page)).toContain('[Ada](people/Ada.md)');
    rmSync(join(pages.folder, ada));
    await pages.write();
    expect(pages.read(ada)).toContain('# Ada');
  });

  test('has a new path after a renaming; the former page is removed unless it was edited', async () => {
    pages.name('Speaker 2', 'Bob');
    await pages.write();
    pages.edit(ada, 'My notes.');
    pages.rename('Ada', 'Ada Lovelace');
    pages.rename('Bob', 'Bob Noyce');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual(['Ada Lovelace.md', 'Ada.md', 'Bob Noyce.md']);
    expect(pages.read(page)).toContain(
      'People: [Bob Noyce](people/Bob%20Noyce.md), [Ada Lovelace](people/Ada%20Lovelace.md)',
    );
    pages.rename('Ada Lovelace', 'Ada');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual(['Ada.md', 'Bob Noyce.md']);
    expect([pages.read(ada), pages.read(page).includes('[Ada](people/Ada.md)')]).toEqual(['My notes.', true]);
    // The spelling changes: on a disk that ignores case, it is the same file.
    pages.rename('Bob Noyce', 'bob noyce');
    expect(await pages.write()).toMatchObject({ warnings: [] });
    expect(pages.read('pages/people/bob noyce.md')).toContain('# bob noyce');
  });

  test('takes the path of a person who got another name, also if two people swap their names', async () => {
    pages.name('Speaker 2', 'Bob');
    await pages.write();
    pages.rename('Ada', 'Carol');
    pages.rename('Bob', 'Ada');
    pages.rename('Carol', 'Bob');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual(['Ada.md', 'Bob.md']);
    expect([pages.read(ada), pages.read('pages/people/Bob.md')].map((text) => /^# .*/m.exec(text)?.[0])).toEqual([
      '# Ada',
      '# Bob',
    ]);
    expect(await pages.written()).toEqual([]);
  });

  test('is what its owner wrote at its path before, also a link', async () => {
    pages.edit('pages/people/Bob.md', 'Written before.');
    symlinkSync(join(pages.folder, 'nowhere'), join(pages.folder, 'pages/people/Carol.md'));
    pages.name('Speaker 2', 'Bob');
    pages.name('Speaker 3', 'Carol');
    expect(await pages.write()).toMatchObject({ warnings: [] });
    expect(await pages.written()).toEqual([]);
    expect(pages.read('pages/people/Bob.md')).toBe('Written before.');
    pages.unname('Speaker 2');
    pages.unname('Speaker 3');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual(['Ada.md', 'Bob.md', 'Carol.md']);
  });

  test('has digits if another person has the path and keeps it', async () => {
    // File names have no signs, and at most 100 bytes of a name.
    const [one, other] = ['1', '2'].map((end) => `${'会'.repeat(40)}${end}`);
    const digits = createHash('sha256').update('*').digest('hex').slice(0, 8);
    pages.name('Speaker 2', '?');
    await pages.write();
    pages.rename('Ada', '*');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual([`Untitled ${digits}.md`, 'Untitled.md']);
    expect(pages.read(page)).toContain(`People: [?](people/Untitled.md), [\\*](people/Untitled%20${digits}.md)\n`);
    pages.unname('Speaker 2');
    await pages.write();
    expect(pages.listed('pages/people')).toEqual([`Untitled ${digits}.md`]);
    pages.name('Speaker 1', String(one));
    pages.name('Speaker 2', String(other));
    await pages.write();
    expect(pages.listed('pages/people').map((path) => path.replace(/ [0-9a-f]{8}/, ' DIGITS'))).toEqual([
      `${'会'.repeat(33)} DIGITS.md`,
      `${'会'.repeat(33)}.md`,
    ]);
  });

  test('keeps its path if its owner wrote it', async () => {
    pages.edit('pages/people/Untitled.md', 'Written before.');
    pages.rename('Ada', '?');
    await pages.write();
    // In the order of people, this one is first.
    pages.name('Speaker 2', '*');
    await pages.write();
    expect(pages.read(page)).toMatch(
      /People: \[\\\*\]\(people\/Untitled%20[0-9a-f]{8}\.md\), \[\?\]\(people\/Untitled\.md\)\n/,
    );
    expect(await pages.written()).toEqual([]);
  });

  test('has a new link after another person took its path while the memory was out of the range', async () => {
    pages.keep({ id: 'other', started_at: '2026-09-01T10:00:00Z' });
    pages.rename('Ada', '?');
    await pages.write();
    pages.rename('?', 'Ada');
    pages.name('Speaker 1', '*', 'other');
    await pages.write(Date.parse('2026-09-01T00:00:00Z'));
    pages.rename('Ada', '?');
    await pages.write();
    expect(pages.read(page)).toMatch(/People: \[\?\]\(people\/Untitled%20[0-9a-f]{8}\.md\)\n/);
  });

  test('is removed when the person is gone, unless it was edited', async () => {
    pages.name('Speaker 2', 'Bob');
    await pages.write();
    pages.edit(ada, 'My notes.');
    pages.unname('Speaker 1');
    pages.unname('Speaker 2');
    const files = await DerivedFiles.open(pages.database, mirrorFolder(pages));
    expect(await writePeoplePages(pages, files)).toMatchObject({ left: [ada] });
    expect(pages.listed('pages/people')).toEqual(['Ada.md']);
    expect(pages.database.prepare("SELECT * FROM files WHERE part LIKE 'person %'").all()).toEqual([]);
  });
});

test.each([
  '</script><img src=x onerror=alert(1)>',
  ']](x) [[y]] ![z](javascript:1)',
  '"Ada": {x}, #tag @me ---',
  '__proto__',
  '..',
  'con',
  'עדה \u200f(Ada) ../../x',
  'A\u2028B\u202e\0',
])('%j is escaped wherever it is written', async (hostile) => {
  // Another program can have stored the name.
  pages.name('Speaker 1', 'Ada');
  for (const person of readPeople(pages.database)) writePerson(pages.database, { ...person, name: hostile });
  await pages.write();
  const [path = ''] = pages.listed('pages/people');
  expect(pages.listed('pages/people')).toHaveLength(1);
  const shown = hostile.replace(/[\u202e\0]/g, '\ufffd');
  const person = pages.read(`pages/people/${path}`);
  expect(JSON.parse(/^title: (.*)$/m.exec(person)?.[1] ?? '')).toBe(shown);
  expect(JSON.parse(/^people: (.*)$/m.exec(pages.read(page))?.[1] ?? '')).toEqual([shown]);
  const [, link = ''] = /^People: \[.*\]\(people\/([^()]*)\)$/m.exec(pages.read(page)) ?? [];
  expect(decodeURIComponent(link)).toBe(path);
  expect(pages.dataOf(script)[0].names).toEqual([['Speaker 1', hostile]]);
  for (const file of [`pages/people/${path}`, page, script, captions, 'index.html']) {
    const text = pages.read(file).replace(/^---\n.*?\n---\n/s, '');
    expect(text, file).not.toMatch(/(?<!\\)<img|\u2028|\u202e|\0/);
  }
  expect(pages.read('index.html').match(/<\/script>/g)).toHaveLength(2);
});
