import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { shortHash } from '../history/stored-memories.ts';
import { writePages } from '../pages/write-pages.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { filesWith, readFolder } from '../testing/read-folder.ts';
import { hasPendingPurges } from './pending-purges.ts';
import { isPurged, purgeMemories } from './purge-memories.ts';

let mirror: ReturnType<typeof openTestMirror>;

beforeEach(() => {
  mirror = openTestMirror();
});

const keepSecret = (id: string) =>
  mirror.keep(
    { id, name: `${id} zebra`, summary: { quick_summary: 'Secret walrus.', key_takeaways: [] } },
    { media: { audio: `media/${shortHash(id)}/audio-1.wav` } },
  );
const write = (timeZone = 'Asia/Tokyo') => writePages(mirror, { timeZone, isInRange: () => true });
const found = () => ['mem_a', 'mem_b', 'zebra', 'walrus'].flatMap((text) => filesWith(mirror.folder, text));

test('purges many memories with one wipe: media, partial files, pages and scripts; other memories stay', async () => {
  keepSecret('mem_a');
  keepSecret('mem_b');
  mirror.keep({ id: 'stays', name: 'Stays' }, { media: { audio: `media/${shortHash('stays')}/audio-1.wav` } });
  await write();
  const partial = join(
    mirror.folder,
    'media',
    shortHash('mem_a'),
    `.memory-read-${'0'.repeat(16)}-.${'f'.repeat(16)}.part`,
  );
  writeFileSync(partial, 'walrus');
  const ended = await purgeMemories(mirror, ['mem_a', 'mem_b', 'mem_c']);
  expect(ended).toMatchObject([{ leftFiles: [] }, { leftFiles: [] }]);
  expect(found()).toEqual([]);
  const rest = [...readFolder(mirror.folder).keys()].map((path) => path.slice(mirror.folder.length + 1)).sort();
  const media = `media/${shortHash('stays')}/audio-1`;
  expect(rest.filter((path) => /^media/.test(path))).toEqual([`${media}.vtt`, `${media}.wav`]);
  expect(rest.filter((path) => /^(pages|index)/.test(path))).toEqual([
    'index.html',
    'index/2026-08.js',
    expect.stringMatching(/^pages\/2026-08-20 Stays/),
  ]);
  expect(['mem_a', 'mem_b', 'mem_c', 'stays'].map((id) => isPurged(mirror.database, id))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(mirror.database.prepare('SELECT length(memory_hash) AS length FROM purged').all()).toEqual([
    { length: 32 },
    { length: 32 },
  ]);
  expect(hasPendingPurges(mirror.database)).toBe(false);
});

test('purges although a folder is at the path of a page, or of a page that is being written', async () => {
  keepSecret('mem_a');
  await write();
  const [page = ''] = readdirSync(join(mirror.folder, 'pages'));
  rmSync(join(mirror.folder, 'pages', page));
  mkdirSync(join(mirror.folder, 'pages', page));
  expect(await purgeMemories(mirror, ['mem_a'])).toMatchObject([{ leftFiles: [`pages/${page}`] }]);
  expect(hasPendingPurges(mirror.database)).toBe(false);
  expect(found()).toEqual([]);
});

test('writes no pages if there were none', async () => {
  keepSecret('mem_a');
  await purgeMemories(mirror, ['mem_a']);
  expect([...readFolder(mirror.folder).keys()].filter((path) => /index|pages/.test(path))).toEqual([]);
});

test('keeps the time zone of index.html', async () => {
  keepSecret('mem_a');
  mirror.keep({ id: 'stays', started_at: '2026-08-31T20:00:00Z' });
  await write('Asia/Tokyo');
  mirror.database.exec(`INSERT INTO settings VALUES ('time_zone', 'Asia/Tokyo')`);
  await purgeMemories(mirror, ['mem_a']);
  expect(readFileSync(join(mirror.folder, 'index.html'), 'utf8')).toContain('2026-09-01');
});

test('never uses a key again, so that a purge that is finished later removes nothing else', async () => {
  const key = keepSecret('mem_a');
  await purgeMemories(mirror, ['mem_a']);
  expect(mirror.keep({ id: 'mem_b' })).toBeGreaterThan(key);
});

test('removes words from the index, which keeps deleted words until it is merged', async () => {
  const { database, folder } = mirror;
  database.exec(
    `CREATE VIRTUAL TABLE test_words USING fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
  );
  for (let row = 1; row < 50; row += 1) {
    database
      .prepare('INSERT INTO test_words (rowid, tokens) VALUES (?, ?)')
      .run(row, row === 7 ? 'usual quokka' : 'usual');
  }
  keepSecret('mem_a');
  database.exec('DELETE FROM test_words WHERE rowid = 7; PRAGMA wal_checkpoint(TRUNCATE)');
  expect(filesWith(folder, 'quokka')).not.toEqual([]);
  await purgeMemories(mirror, ['mem_a']);
  expect(filesWith(folder, 'quokka')).toEqual([]);
});

test('removes bytes of rows that were deleted without zeros', async () => {
  const { database, folder } = mirror;
  expect(database.prepare('PRAGMA secure_delete').get()).toEqual({ secure_delete: 1 });
  keepSecret('mem_a');
  database.exec(`PRAGMA secure_delete = OFF; INSERT INTO settings VALUES ('quokka', ''); DELETE FROM settings`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA secure_delete = ON');
  expect(filesWith(folder, 'quokka')).not.toEqual([]);
  await purgeMemories(mirror, ['mem_a']);
  expect(filesWith(folder, 'quokka')).toEqual([]);
});
