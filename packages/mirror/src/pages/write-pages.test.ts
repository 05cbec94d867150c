import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { purgeMemories } from '../purge/purge-memories.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { writePages } from './write-pages.ts';

const audio = 'media/22132404d6ef307bd60429c0/audio-1.wav';
let mirror: ReturnType<typeof openTestMirror>;

beforeEach(() => {
  mirror = openTestMirror();
});

const write = (timeZone = 'Asia/Tokyo', isInRange = (_instant: number) => true) =>
  writePages(mirror, { timeZone, isInRange });
const pages = () => readdirSync(join(mirror.folder, 'pages')).sort();
const read = (path: string) => readFileSync(join(mirror.folder, path), 'utf8');
const edit = (path: string, text: string) => writeFileSync(join(mirror.folder, path), text);
const page = 'pages/2026-08-20 Stand-up 2213.md';

test('writes a page with the local date, flat front matter, media, summary and transcript', async () => {
  mirror.keep({}, { media: { audio } });
  expect(await write()).toEqual({ written: 1, unchanged: 0, warnings: [] });
  expect(read(page)).toBe(`---
title: "Stand-up"
date: "2026-08-20T19:00:00+09:00"
ended: "2026-08-20T19:15:00+09:00"
duration: 900
id: "mem_1"
missing: false
speakers: ["Speaker 1"]
tags: ["memory"]
---

# Stand-up

![Audio](../${audio})

[Captions](../media/22132404d6ef307bd60429c0/audio-1.vtt)

## Summary

We met.

## Key takeaways

- All is well.

## Transcript

\`0:00:01\` **Speaker 1:** Good morning.
`);
  expect(read('media/22132404d6ef307bd60429c0/audio-1.vtt')).toContain('Good morning.');
});

test('page and index say that a memory is still processing, until it is processed', async () => {
  mirror.keep({ is_processing: true, summary: null, transcript: null });
  await write();
  expect(read(page)).toContain('\nprocessing: true\n');
  expect(read('index.html')).toContain('"still processing"');
  mirror.keep();
  await write();
  expect(read(page)).not.toContain('processing');
  expect(read('index.html')).not.toContain('"still processing"');
});

test.skipIf(process.platform === 'win32')(
  'writes files that only their owner can read, whatever the umask is',
  async () => {
    const before = process.umask(0o777);
    try {
      mirror.keep();
      await write();
    } finally {
      process.umask(before);
    }
    const modes = [page, 'pages', 'index.html', 'index', 'index/2026-08.js'].map(
      (path) => statSync(join(mirror.folder, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o600, 0o700, 0o600]);
  },
);

test('keeps the name of a page when the memory is renamed or its start changes', async () => {
  mirror.keep();
  await write();
  mirror.keep({ name: 'Retrospective', started_at: '2026-09-01T10:00:00Z' });
  expect(await write()).toMatchObject({ written: 1 });
  expect(pages()).toEqual(['2026-08-20 Stand-up 2213.md']);
  expect(read(page)).toContain('# Retrospective');
});

test('writes other times under the same name for another time zone', async () => {
  mirror.keep();
  await write();
  expect(await write('America/New_York')).toMatchObject({ written: 1 });
  expect(read(page)).toContain('date: "2026-08-20T06:00:00-04:00"');
});

test('adds digits to names that file systems may treat as equal', async () => {
  // The hashes of these two ids begin with the same four digits.
  mirror.keep({ id: 'id_222', name: 'TALK' });
  mirror.keep({ id: 'id_660', name: 'talk' });
  await write();
  expect(pages()).toHaveLength(2);
});

describe('an edited page', () => {
  const update = 'pages/2026-08-20 Stand-up 2213 (update 1).md';

  beforeEach(async () => {
    mirror.keep();
    await write();
    edit(page, 'My own words.');
  });

  test('is not changed without a new version, also in another time zone', async () => {
    expect(await write()).toEqual({ written: 0, unchanged: 1, warnings: [] });
    expect(await write('UTC')).toEqual({ written: 0, unchanged: 1, warnings: [] });
    expect(pages()).toHaveLength(1);
  });

  test('gets a new version beside it, with one warning', async () => {
    mirror.keep({ name: 'Daily' });
    const warning = { memoryId: 'mem_1', path: page, reason: 'edited', writtenTo: update };
    expect(await write()).toEqual({ written: 1, unchanged: 0, warnings: [warning] });
    expect([read(page), read(update).includes('# Daily')]).toEqual(['My own words.', true]);
    expect(await write()).toEqual({ written: 0, unchanged: 1, warnings: [] });
  });

  test('is written again after its owner removed it; the file beside it only for a new version', async () => {
    mirror.keep({ name: 'Daily' });
    await write();
    rmSync(join(mirror.folder, update));
    expect(await write()).toEqual({ written: 0, unchanged: 1, warnings: [] });
    expect(existsSync(join(mirror.folder, update))).toBe(false);
    mirror.keep({ name: 'Weekly' });
    expect(await write()).toEqual({ written: 1, unchanged: 0, warnings: [] });
    expect(read(update)).toContain('# Weekly');
    rmSync(join(mirror.folder, page));
    expect(await write()).toMatchObject({ written: 1 });
    expect(read(page)).toContain('# Weekly');
  });
});

test.each<[string, (path: string) => void]>([
  ['a folder', (path) => mkdirSync(path)],
  ['a link', (path) => symlinkSync(join(mirror.folder, 'elsewhere'), path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
])('does not replace %s at the path of a page', async (_name, make) => {
  mirror.keep();
  await write();
  rmSync(join(mirror.folder, page));
  writeFileSync(join(mirror.folder, 'elsewhere'), 'mine');
  make(join(mirror.folder, page));
  mirror.keep({ name: 'Daily' });
  expect(await write()).toMatchObject({ written: 1, warnings: [{ path: page, reason: 'edited' }] });
  expect(await purgeMemories(mirror, ['mem_1'])).toMatchObject([{ leftFiles: [page] }]);
  expect(read('elsewhere')).toBe('mine');
});

test.each<[string, (path: string) => void]>([
  ['a link', (path) => symlinkSync(join(mirror.folder, 'elsewhere'), path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
])('does not replace or read %s at the path of index.html, a script or captions', async (_name, make) => {
  mirror.keep({}, { media: { audio } });
  writeFileSync(join(mirror.folder, 'elsewhere'), 'mine');
  mkdirSync(join(mirror.folder, 'index'));
  const paths = ['media/22132404d6ef307bd60429c0/audio-1.vtt', 'index/2026-08.js', 'index.html'];
  for (const path of paths) make(join(mirror.folder, path));
  const { warnings } = await write();
  expect(warnings).toEqual(
    paths.map((path) => {
      const writtenTo = path.replace(/(\.\w+)$/, ' (update 1)$1');
      return { memoryId: path.startsWith('media') ? 'mem_1' : '', path, reason: 'foreign', writtenTo };
    }),
  );
  for (const { writtenTo } of warnings) expect(lstatSync(join(mirror.folder, writtenTo)).isFile()).toBe(true);
  expect(read('elsewhere')).toBe('mine');
});

test('does not write captions through a link', async () => {
  mirror.keep({}, { media: { audio } });
  const elsewhere = join(mirror.folder, 'elsewhere');
  renameSync(dirname(join(mirror.folder, audio)), elsewhere);
  symlinkSync(elsewhere, dirname(join(mirror.folder, audio)));
  await expect(write()).rejects.toThrow(
    /^Failed to write to ".+": it is a symbolic link\. Remove it, and try again\.$/,
  );
  expect(readdirSync(elsewhere)).toEqual(['audio-1.wav']);
});

test('recognizes files of a run that crashed', async () => {
  mirror.keep();
  await write();
  mirror.keep({ name: 'Daily' });
  const exec = vi.spyOn(mirror.database, 'exec');
  // The first transaction that writes records the file that will be written. The second one never begins.
  let begun = 0;
  exec.mockImplementation(function (this: typeof mirror.database, sql) {
    if (sql === 'BEGIN IMMEDIATE' && ++begun === 2) throw new Error('killed');
    return Object.getPrototypeOf(mirror.database).exec.call(mirror.database, sql);
  });
  await expect(write()).rejects.toThrow('killed');
  exec.mockRestore();
  mirror.keep({ name: 'Weekly' });
  expect(await write()).toEqual({ written: 1, unchanged: 0, warnings: [] });
  expect(read(page)).toContain('# Weekly');
  expect(pages()).toHaveLength(1);
});

test('writes only pages of the range, and all memories in index.html', async () => {
  mirror.keep({ id: 'old', started_at: '2020-01-01T00:00:00Z', name: 'Old' });
  mirror.keep({ name: 'New' });
  expect(await write('UTC', (instant) => instant >= Date.parse('2026-01-01T00:00:00Z'))).toMatchObject({ written: 1 });
  expect(pages()).toHaveLength(1);
  expect(read('index.html')).toContain('"Old"');
  expect(readdirSync(join(mirror.folder, 'index')).sort()).toEqual(['2020-01.js', '2026-08.js']);
});

test('keeps other files beside the scripts', async () => {
  mirror.keep();
  await write();
  mkdirSync(join(mirror.folder, 'index', '2020-01'));
  edit('index/notes.js', 'Mine.');
  edit('index/2020-01.js', 'Mine, too.');
  await write();
  expect(readdirSync(join(mirror.folder, 'index')).sort()).toEqual(['2020-01', '2020-01.js', '2026-08.js', 'notes.js']);
});

test('keeps the script of an unchanged month, and removes that of a month without memories', async () => {
  mirror.keep({ id: 'old', started_at: '2020-01-01T00:00:00Z' });
  const key = mirror.keep();
  await write('UTC');
  const time = () => statSync(join(mirror.folder, 'index/2020-01.js')).mtimeMs;
  const before = time();
  mirror.keep({ name: 'Other' });
  await write('UTC');
  expect(time()).toBe(before);
  mirror.database.exec(`DELETE FROM memories WHERE memory_key = ${key}`);
  await write('UTC');
  expect(readdirSync(join(mirror.folder, 'index'))).toEqual(['2020-01.js']);
});

test('escapes all texts in Markdown, HTML and scripts', async () => {
  const hostile = '</script><img src=x onerror=alert(1)>\u2028[[x]](javascript:y)\u202e\n# Heading';
  const segments = [
    { speaker: hostile, start_at: '2026-08-20T10:00:01Z', end_at: '2026-08-20T10:00:02Z', text: hostile },
  ];
  mirror.keep({
    id: `../../${hostile}`,
    name: hostile,
    transcript: { segments },
    summary: { quick_summary: hostile, key_takeaways: [hostile] },
  });
  await write('UTC');
  const [name = ''] = pages();
  expect(name).toMatch(/^2026-08-20 script--img src=x onerror=alert\(1\)/);
  const text = read(`pages/${name}`);
  expect(text.split('---\n')[2]).not.toMatch(/(?<!\\)<|^# Heading|\u202e|(?<!\\)\[\[x/m);
  for (const path of ['index.html', 'index/2026-08.js']) {
    expect(read(path)).not.toMatch(/<img|\u2028|\u202e/);
  }
  expect(read('index.html').match(/<\/script>/g)).toHaveLength(2);
});
