import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openNamedPages, paths, transcript } from '../testing/open-named-pages.ts';
import { openPeople } from '../testing/open-people.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { readFolder } from '../testing/read-folder.ts';
import { writePages } from './write-pages.ts';

const { captions, page, update, script } = paths;
let pages: ReturnType<typeof openNamedPages>;

beforeEach(() => {
  pages = openNamedPages();
});

test('files without names have the bytes and the rows of the version before names', async () => {
  const old = openTestMirror();
  old.keep({}, { media: { audio: paths.recording } });
  await writePages(old, { timeZone: 'Asia/Tokyo', isInRange: () => true });
  const rows = old.database.prepare("SELECT part, version, depends, written FROM files WHERE part <> 'index'").all();
  const ofScript = '2cb83d2e478cfad2126c8f0f19ce6eefc896d9a1f8fdfd450a9a0143a549040e';
  expect(rows.map((row) => Object.values(row))).toEqual([
    [
      `captions ${captions.slice(0, -4)}`,
      '1',
      '[3,1]',
      'acbb180cb25cfe948099619fca7aa5b9d0b7a2a065a76135573d801f9d0bc6c3',
    ],
    [
      'page',
      '1 listed',
      `[3,"1 listed","Asia/Tokyo",{"audio":"../${paths.recording}"}]`,
      '6da9ac14f1cee44fc318aded472fb398213ad16dc0245fb436fa1577ffc9073f',
    ],
    ['script 2026-08', ofScript, ofScript, '93cff256c99686d70186e59362203f747f688babeb71707e8bce273f4b6a5423'],
  ]);
  expect(/id="memories">(.*?)<\/script>/s.exec(readFileSync(join(old.folder, 'index.html'), 'utf8'))?.[1]).toBe(
    '{"folder":"index","months":[["2026-08",1]],"entries":[["22132404d6ef307bd60429c0","Stand-up","2026-08-20","19:00:00",900,"","We met."]]}',
  );
});

test('names are in the front matter, below the heading, in the transcript, the captions and the page of the person', async () => {
  pages.name('Speaker 1', 'Ada Lovelace');
  pages.name('Speaker 2', 'Bob');
  pages.name('Speaker 3', 'Bob');
  await pages.write();
  expect(pages.read(page)).toBe(`---
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

![Audio](../${paths.recording})

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
  expect(pages.read(captions).match(/<v .*>/g)).toEqual([
    '<v Bob>Hello.</v>',
    '<v Ada Lovelace>Good morning.</v>',
    '<v Bob>Hi.</v>',
  ]);
  expect(pages.read('pages/people/Ada Lovelace.md')).toBe(
    '---\ntitle: "Ada Lovelace"\ntags: ["person"]\n---\n\n# Ada Lovelace\n',
  );
  expect(pages.listed('pages/people')).toEqual(['Ada Lovelace.md', 'Bob.md']);
  expect(pages.dataOf(script)).toMatchObject([
    {
      names: [
        ['Speaker 2', 'Bob'],
        ['Speaker 1', 'Ada Lovelace'],
        ['Speaker 3', 'Bob'],
      ],
    },
  ]);
  expect(pages.read('index.html')).toContain('"people":["Ada Lovelace","Bob"]');
});

describe('a naming', () => {
  beforeEach(async () => {
    pages.keep({ id: 'other', name: 'Other', started_at: '2026-07-01T10:00:00Z' });
    await pages.write();
  });

  test('writes the files of its memory and the page of the person, and a second run nothing', async () => {
    pages.name('Speaker 1', 'Ada');
    expect(await pages.written()).toEqual(['index.html', script, captions, page, 'pages/people/Ada.md'].sort());
    expect(await pages.written()).toEqual([]);
    pages.name('Speaker 2', 'Ada');
    expect(await pages.written()).toEqual([script, captions, page].sort());
    pages.unname('Speaker 1');
    pages.unname('Speaker 2');
    expect(await pages.written()).toEqual(['index.html', script, captions, page].sort());
    expect(pages.read(page)).not.toContain('Ada');
    expect(pages.listed('pages/people')).toEqual([]);
  });

  test('gives an edited page, edited captions, index.html and a script no update, and no warning', async () => {
    for (const path of [page, captions, script, 'index.html']) pages.edit(path);
    pages.name('Speaker 1', 'Ada');
    expect(await pages.write()).toMatchObject({ written: 0, warnings: [] });
    expect(await pages.written()).toEqual([]);
    for (const path of [page, captions, script, 'index.html']) expect(pages.read(path)).toBe('My own words.');
    expect([...readFolder(pages.folder).keys()].filter((path) => path.includes('(update'))).toEqual([]);
    // A new version is an update with the names.
    pages.keep({ transcript, name: 'Daily' });
    expect((await pages.write()).warnings.map(({ path }) => path)).toEqual([captions, page, script, 'index.html']);
    expect(pages.read(update)).toContain('people: ["Ada"]');
  });

  test('writes the update beside an edited page again, unless it is edited or removed', async () => {
    pages.edit(page);
    pages.keep({ transcript, name: 'Daily' });
    await pages.write();
    pages.name('Speaker 1', 'Ada');
    expect(await pages.write()).toMatchObject({ written: 1, warnings: [] });
    expect(pages.read(update)).toContain('people: ["Ada"]');
    pages.edit(update);
    pages.name('Speaker 1', 'Bob');
    expect(await pages.write()).toMatchObject({ written: 0, warnings: [] });
    expect([pages.read(page), pages.read(update)]).toEqual(['My own words.', 'My own words.']);
    rmSync(join(pages.folder, update));
    pages.name('Speaker 1', 'Carol');
    expect(await pages.write()).toMatchObject({ written: 0, warnings: [] });
    expect(pages.listed('pages')).toEqual(['2026-07-01 Other d929.md', '2026-08-20 Stand-up 2213.md', 'people'].sort());
  });

  test('is written into a page that its owner removed', async () => {
    pages.edit(page);
    pages.name('Speaker 1', 'Ada');
    await pages.write();
    rmSync(join(pages.folder, page));
    expect(await pages.write()).toMatchObject({ written: 1 });
    expect(pages.read(page)).toContain('people: ["Ada"]');
  });

  test('leaves no name in the rows of the pages of memories', async () => {
    pages.name('Speaker 1', 'Ada Lovelace');
    await pages.write();
    const rows = pages.database.prepare("SELECT * FROM files WHERE part NOT LIKE 'person %'").all();
    expect(JSON.stringify(rows)).not.toContain('Lovelace');
  });
});

test('a doubtful name is on no page, and a name that is settled is back', async () => {
  const { mirror, say } = await openPeople();
  const read = () => {
    const files = [...readFolder(mirror.folder)].filter(([path]) => !path.includes('mirror.sqlite'));
    return files.flatMap(([path, text]) => (path.includes('Ada') || text.includes('Ada') ? [path] : [])).length;
  };
  await say('mem_1', [
    ['Speaker 1', 0, 20],
    ['Speaker 2', 20, 40],
  ]);
  await mirror.people.name('mem_1', 'Speaker 1', 'Ada');
  await mirror.writePages({ timeZone: 'UTC' });
  // The page, the page of the person, index.html and the script.
  expect(read()).toBe(4);
  // Two voices are one label now.
  await say('mem_1', [['Speaker 1', 0, 40]]);
  await mirror.writePages({ timeZone: 'UTC' });
  expect([await mirror.people.doubts(), read()]).toMatchObject([[{ person: 'Ada' }], 0]);
  await mirror.people.name('mem_1', 'Speaker 1', 'Ada');
  await mirror.writePages({ timeZone: 'UTC' });
  expect(read()).toBe(4);
});
