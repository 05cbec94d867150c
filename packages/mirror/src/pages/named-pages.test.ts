import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { DerivedFiles } from '../files/derived-files.ts';
import { nameForTest, renameForTest } from '../testing/name-for-test.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { readFolder } from '../testing/read-folder.ts';
import { mirrorFolder, writePages } from './write-pages.ts';
import { writePeoplePages } from './write-people-pages.ts';

const recording = 'media/22132404d6ef307bd60429c0/audio-1';
const captions = `${recording}.vtt`;
const page = 'pages/2026-08-20 Stand-up 2213.md';
const update = 'pages/2026-08-20 Stand-up 2213 (update 1).md';
const script = 'index/2026-08.js';

let mirror: ReturnType<typeof openTestMirror>;

const said = (speaker: string, second: number, text: string) => ({
  speaker,
  start_at: `2026-08-20T10:00:0${second}Z`,
  end_at: `2026-08-20T10:00:0${second + 1}Z`,
  text,
});
const transcript = {
  segments: [said('Speaker 2', 1, 'Hello.'), said('Speaker 1', 3, 'Good morning.'), said('Speaker 3', 5, 'Hi.')],
};

beforeEach(() => {
  mirror = openTestMirror();
  mirror.keep({ transcript }, { media: { audio: `${recording}.wav` } });
});

const write = (timeZone = 'Asia/Tokyo') => writePages(mirror, { timeZone, isInRange: () => true });
const name = (label: string, person: string | null, memoryId = 'mem_1') =>
  nameForTest(mirror.database, memoryId, label, person);
const rename = (person: string, to: string) => renameForTest(mirror.database, person, to);
const read = (path: string) => readFileSync(join(mirror.folder, path), 'utf8');
const edit = (path: string, text = 'My own words.') => writeFileSync(join(mirror.folder, path), text);
const listed = (folder: string) => readdirSync(join(mirror.folder, folder)).sort();
const dataOf = (path: string) => /\[\{.*\]/.exec(read(path))?.[0] ?? '';

/** Returns the paths of the files that were written since the stamps. */
function stamps(): Map<string, string> {
  const paths = [...readFolder(mirror.folder).keys()].filter((path) => !/sqlite/.test(path));
  return new Map(paths.map((path) => [path.slice(mirror.folder.length + 1), `${statSync(path, { bigint: true }).mtimeNs}`]));
}

async function writtenBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = stamps();
  await work();
  return [...stamps()].flatMap(([path, stamp]) => (before.get(path) === stamp ? [] : [path])).sort();
}

test('files without names have the bytes and the rows of the version before names', async () => {
  const old = openTestMirror();
  old.keep({}, { media: { audio: `${recording}.wav` } });
  await writePages(old, { timeZone: 'Asia/Tokyo', isInRange: () => true });
  const rows = old.database.prepare("SELECT part, version, depends, written FROM files WHERE part <> 'index'").all();
  const ofScript = '2cb83d2e478cfad2126c8f0f19ce6eefc896d9a1f8fdfd450a9a0143a549040e';
  expect(rows.map((row) => Object.values(row))).toEqual([
    [`captions ${recording}`, '1', '[3,1]', 'acbb180cb25cfe948099619fca7aa5b9d0b7a2a065a76135573d801f9d0bc6c3'],
    [
      'page',
      '1 listed',
      `[3,"1 listed","Asia/Tokyo",{"audio":"../${recording}.wav"}]`,
      '6da9ac14f1cee44fc318aded472fb398213ad16dc0245fb436fa1577ffc9073f',
    ],
    ['script 2026-08', ofScript, ofScript, '93cff256c99686d70186e59362203f747f688babeb71707e8bce273f4b6a5423'],
  ]);
  expect(/id="memories">(.*?)<\/script>/s.exec(readFileSync(join(old.folder, 'index.html'), 'utf8'))?.[1]).toBe(
    '{"folder":"index","months":[["2026-08",1]],"entries":[["22132404d6ef307bd60429c0","Stand-up","2026-08-20","19:00:00",900,"","We met."]]}',
  );
});

test('names are in the front matter, below the heading, in the transcript, the captions and the page of the person', async () => {
  name('Speaker 1', 'Ada Lovelace');
  name('Speaker 2', 'Bob');
  name('Speaker 3', 'Bob');
  await write();
  expect(read(page)).toBe(`---
title: "Stand-up"
date: "2026-08-20T19:00:00+09:00"
ended: "2026-08-20T19:15:00+09:00"
duration: 900
id: "mem_1"
missing: false
speakers: ["Speaker 2","Speaker 1","Speaker 3"]
people: ["Bob","Ada Lovelace"]
tags: ["memory"]
---

# Stand-up

People: [Bob](people/Bob.md), [Ada Lovelace](people/Ada%20Lovelace.md)

![Audio](../${recording}.wav)

[Captions](../${captions})

## Summary

We met.

## Key takeaways

- All is well.

## Transcript

\`0:00:01\` **Bob:** Hello.

\`0:00:03\` **Ada Lovelace:** Good morning.

\`0:00:05\` **Bob:** Hi.
`);
  expect(read(captions).match(/<v .*>/g)).toEqual(['<v Bob>Hello.</v>', '<v Ada Lovelace>Good morning.</v>', '<v Bob>Hi.</v>']);
  expect(read('pages/people/Ada Lovelace.md')).toBe('---\ntitle: "Ada Lovelace"\ntags: ["person"]\n---\n\n# Ada Lovelace\n');
  expect(listed('pages/people')).toEqual(['Ada Lovelace.md', 'Bob.md']);
  expect(JSON.parse(dataOf(script))).toMatchObject([
    { speakers: ['Speaker 2', 'Speaker 1', 'Speaker 3'], people: ['Bob', 'Ada Lovelace', 'Bob'] },
  ]);
  expect(read('index.html')).toContain('"people":["Ada Lovelace","Bob"]');
});

describe('a naming', () => {
  beforeEach(async () => {
    mirror.keep({ id: 'other', name: 'Other', started_at: '2026-07-01T10:00:00Z' });
    await write();
  });

  test('writes the files of its memory and the page of the person, and a second run nothing', async () => {
    name('Speaker 1', 'Ada');
    expect(await writtenBy(write)).toEqual(['index.html', script, captions, page, 'pages/people/Ada.md'].sort());
    expect(await writtenBy(write)).toEqual([]);
    name('Speaker 2', 'Ada');
    expect(await writtenBy(write)).toEqual([script, captions, page].sort());
    name('Speaker 1', null);
    name('Speaker 2', null);
    expect(await writtenBy(write)).toEqual(['index.html', script, captions, page].sort());
    expect(read(page)).not.toContain('Ada');
    expect(listed('pages/people')).toEqual([]);
  });

  test('gives an edited page, edited captions, index.html and a script no update, and no warning', async () => {
    for (const path of [page, captions, script, 'index.html']) edit(path);
    name('Speaker 1', 'Ada');
    expect(await write()).toMatchObject({ written: 0, warnings: [] });
    expect(await writtenBy(write)).toEqual([]);
    for (const path of [page, captions, script, 'index.html']) expect(read(path)).toBe('My own words.');
    expect([...readFolder(mirror.folder).keys()].filter((path) => path.includes('(update'))).toEqual([]);
    // A new version is an update with the names.
    mirror.keep({ transcript, name: 'Daily' });
    expect((await write()).warnings.map(({ path }) => path)).toEqual([captions, page, script, 'index.html']);
    expect(read(update)).toContain('people: ["Ada"]');
  });

  test('writes the update beside an edited page again, unless it is edited or removed', async () => {
    edit(page);
    mirror.keep({ transcript, name: 'Daily' });
    await write();
    name('Speaker 1', 'Ada');
    expect(await write()).toMatchObject({ written: 1, warnings: [] });
    expect(read(update)).toContain('people: ["Ada"]');
    edit(update);
    name('Speaker 1', 'Bob');
    expect(await write()).toMatchObject({ written: 0, warnings: [] });
    expect([read(page), read(update)]).toEqual(['My own words.', 'My own words.']);
    rmSync(join(mirror.folder, update));
    name('Speaker 1', 'Carol');
    expect(await write()).toMatchObject({ written: 0, warnings: [] });
    expect(listed('pages')).toEqual(['2026-07-01 Other d929.md', '2026-08-20 Stand-up 2213.md', 'people'].sort());
  });

  test('is written into a page that its owner removed', async () => {
    edit(page);
    name('Speaker 1', 'Ada');
    await write();
    rmSync(join(mirror.folder, page));
    expect(await write()).toMatchObject({ written: 1 });
    expect(read(page)).toContain('people: ["Ada"]');
  });

  test('leaves no name in the rows of the pages of memories', async () => {
    name('Speaker 1', 'Ada Lovelace');
    await write();
    const rows = mirror.database.prepare("SELECT * FROM files WHERE part NOT LIKE 'person %'").all();
    expect(JSON.stringify(rows)).not.toContain('Lovelace');
  });
});

describe('the page of a person', () => {
  const ada = 'pages/people/Ada.md';

  beforeEach(async () => {
    name('Speaker 1', 'Ada');
    await write();
  });

  test('stays as its owner edited it, without an update or a warning', async () => {
    edit(ada, 'My notes.');
    for (const change of [
      () => mirror.keep({ transcript, name: 'Daily' }),
      () => name('Speaker 1', null),
      () => name('Speaker 2', 'Ada'),
    ]) {
      change();
      expect(await write()).toMatchObject({ warnings: [] });
      expect(await writtenBy(write)).toEqual([]);
    }
    expect(read(ada)).toBe('My notes.');
    expect(listed('pages/people')).toEqual(['Ada.md']);
    expect(read(page)).toContain('[Ada](people/Ada.md)');
    rmSync(join(mirror.folder, ada));
    await write();
    expect(read(ada)).toContain('# Ada');
  });

  test('has a new path after a renaming; the former page is removed unless it was edited', async () => {
    name('Speaker 2', 'Bob');
    await write();
    edit(ada, 'My notes.');
    rename('Ada', 'Ada Lovelace');
    rename('Bob', 'Bob Noyce');
    await write();
    expect(listed('pages/people')).toEqual(['Ada Lovelace.md', 'Ada.md', 'Bob Noyce.md']);
    expect(read(page)).toContain('People: [Bob Noyce](people/Bob%20Noyce.md), [Ada Lovelace](people/Ada%20Lovelace.md)');
    rename('Ada Lovelace', 'Ada');
    await write();
    expect(listed('pages/people')).toEqual(['Ada.md', 'Bob Noyce.md']);
    expect([read(ada), read(page).includes('[Ada](people/Ada.md)')]).toEqual(['My notes.', true]);
    // The spelling changes: on a disk that ignores case, it is the same file.
    rename('Bob Noyce', 'bob noyce');
    expect(await write()).toMatchObject({ warnings: [] });
    expect(read('pages/people/bob noyce.md')).toContain('# bob noyce');
  });

  test('takes the path of a person who got another name, also if two people swap their names', async () => {
    name('Speaker 2', 'Bob');
    await write();
    rename('Ada', 'Carol');
    rename('Bob', 'Ada');
    rename('Carol', 'Bob');
    await write();
    expect(listed('pages/people')).toEqual(['Ada.md', 'Bob.md']);
    expect([read(ada), read('pages/people/Bob.md')].map((text) => /^# .*/m.exec(text)?.[0])).toEqual(['# Ada', '# Bob']);
    expect(await writtenBy(write)).toEqual([]);
  });

  test('is what somebody wrote at its path before, also a link', async () => {
    edit('pages/people/Bob.md', 'Written before.');
    symlinkSync(join(mirror.folder, 'nowhere'), join(mirror.folder, 'pages/people/Carol.md'));
    name('Speaker 2', 'Bob');
    name('Speaker 3', 'Carol');
    expect(await write()).toMatchObject({ warnings: [] });
    expect(await writtenBy(write)).toEqual([]);
    expect(read('pages/people/Bob.md')).toBe('Written before.');
    name('Speaker 2', null);
    name('Speaker 3', null);
    await write();
    expect(listed('pages/people')).toEqual(['Ada.md', 'Bob.md', 'Carol.md']);
  });

  test('has digits if somebody else has the path, who keeps it', async () => {
    // File names have no signs, and at most 100 bytes of a name.
    const [one, other] = ['1', '2'].map((end) => `${'会'.repeat(40)}${end}`);
    const digits = createHash('sha256').update('*').digest('hex').slice(0, 8);
    name('Speaker 2', '?');
    await write();
    rename('Ada', '*');
    await write();
    expect(listed('pages/people')).toEqual([`Untitled ${digits}.md`, 'Untitled.md']);
    expect(read(page)).toContain(`People: [?](people/Untitled.md), [\\*](people/Untitled%20${digits}.md)\n`);
    name('Speaker 2', null);
    await write();
    expect(listed('pages/people')).toEqual([`Untitled ${digits}.md`]);
    name('Speaker 1', String(one));
    name('Speaker 2', String(other));
    await write();
    expect(listed('pages/people').map((path) => path.replace(/ [0-9a-f]{8}/, ' DIGITS'))).toEqual([
      `${'会'.repeat(33)} DIGITS.md`,
      `${'会'.repeat(33)}.md`,
    ]);
  });

  test('is removed when the person is gone, unless it was edited', async () => {
    name('Speaker 2', 'Bob');
    await write();
    edit(ada, 'My notes.');
    name('Speaker 1', null);
    name('Speaker 2', null);
    const files = await DerivedFiles.open(mirror.database, mirrorFolder(mirror));
    expect(await writePeoplePages(mirror, files)).toMatchObject({ left: [ada] });
    expect(listed('pages/people')).toEqual(['Ada.md']);
    expect(mirror.database.prepare("SELECT * FROM files WHERE part LIKE 'person %'").all()).toEqual([]);
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
  name('Speaker 1', hostile);
  await write();
  const [path = ''] = listed('pages/people');
  expect(listed('pages/people')).toHaveLength(1);
  const shown = hostile.replace(/[\u202e\0]/g, '\ufffd');
  const person = read(`pages/people/${path}`);
  expect(JSON.parse(/^title: (.*)$/m.exec(person)?.[1] ?? '')).toBe(shown);
  expect(JSON.parse(/^people: (.*)$/m.exec(read(page))?.[1] ?? '')).toEqual([shown]);
  const [, link = ''] = /^People: \[.*\]\(people\/([^()]*)\)$/m.exec(read(page)) ?? [];
  expect(decodeURIComponent(link)).toBe(path);
  expect(JSON.parse(dataOf(script))[0].people).toEqual([null, hostile, null]);
  for (const file of [`pages/people/${path}`, page, script, captions, 'index.html']) {
    const text = read(file).replace(/^---\n.*?\n---\n/s, '');
    expect(text, file).not.toMatch(/(?<!\\)<img|\u2028|\u202e|\0/);
  }
  expect(read('index.html').match(/<\/script>/g)).toHaveLength(2);
});
