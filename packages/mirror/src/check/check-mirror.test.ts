import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Damage, openMirror } from '../index.ts';
import { audio, openAccount, saidRecord, type TestAccount } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { readRow } from '../testing/own-database.ts';
import { readFolder } from '../testing/read-folder.ts';

/** Words of the memory that is damaged. No error contains one of them. */
const words = ['walrus', 'giraffe', 'zebra'];

const newest = saidRecord('mem_a', ['The walrus.'], { name: 'New zebra', media: audio });

let account: TestAccount;
const whole = makeFolder(afterAll);
let folder: string;

const client = () => account.clientOf('https://api.example.com');

beforeAll(async () => {
  account = await openAccount();
  const mirror = await openMirror({ folder: whole });
  await account.put(
    saidRecord('mem_a', ['The giraffe.'], { name: 'Old zebra', media: audio }),
    saidRecord('mem_b', ['An owl.'], { name: 'Kept', media: audio }),
  );
  await mirror.sync(client(), { media: true });
  await account.put(newest);
  await mirror.sync(client(), { media: true });
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
});

beforeEach(() => {
  account.change = (memory) => memory;
  account.intercept = () => undefined;
  folder = makeFolder();
  cpSync(whole, folder, { recursive: true, preserveTimestamps: true });
});

const open = (options: { readOnly?: boolean } = {}) => openForTest({ folder, ...options });

/** Changes the database as no mirror does. */
function damage(sql: string, ...values: (string | number | Uint8Array)[]): void {
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'));
  expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  database.close();
}

const contentOf = (version: number) =>
  String(
    readRow(folder, "SELECT content FROM versions WHERE version = ? AND content LIKE '%mem_a%'", version)?.content,
  );

/** Expects that a promise rejects as damaged, and that the error has no words of the memory. */
async function expectDamaged(promise: Promise<unknown>): Promise<void> {
  const error = (await promise.then(
    () => expect.fail('It resolved.'),
    (reason: unknown) => reason,
  )) as Error & { code: string; cause?: Error };
  expect(error).toMatchObject({ name: 'MirrorError', code: 'damaged' });
  const text = `${error.message} ${error.stack} ${error.cause?.message}`;
  for (const word of words) expect(text).not.toContain(word);
}

const damages: [string, (content: string) => string | Uint8Array][] = [
  ['other words', (content) => content.replace('walrus', 'wallet')],
  ['other words in a name', (content) => content.replace('New zebra', 'New cobra')],
  ['truncated JSON', (content) => content.slice(0, content.indexOf('walrus') + 3)],
  ['an empty text', () => ''],
  ['a NUL', (content) => content.replace('walrus', 'wal\0us')],
  ['bytes that are no text', (content) => Buffer.from(content.replace('walrus', 'wal\u00ffus'), 'latin1')],
  ['a control character', (content) => content.replace('walrus', 'wal\u0001us')],
  ['null', () => 'null'],
  ['a list', () => '["walrus"]'],
  ['wrong types', (content) => JSON.stringify({ ...JSON.parse(content), name: 5, transcript: 'walrus', summary: 7 })],
  ['another memory', (content) => content.replace('mem_a', 'mem_b')],
];

describe.each(damages)('a version with %s', (_, change) => {
  beforeEach(() => {
    const value = change(contentOf(2));
    const column = typeof value === 'string' ? '?' : 'CAST(? AS TEXT)';
    damage(`UPDATE versions SET content = ${column} WHERE content = ?`, value, contentOf(2));
  });

  test('is damaged for its reader, and everything else can be read', async () => {
    const mirror = await open();
    await expectDamaged(mirror.getMemory('mem_a'));
    const [added] = await mirror.history('mem_a');
    expect((await mirror.getMemory('mem_a', { asOf: added?.at ?? '' }))?.memory.name).toBe('Old zebra');
    expect((await mirror.getMemory('mem_b'))?.memory.name).toBe('Kept');
    expect((await mirror.listMemories()).memories.map(({ memory }) => memory.id)).toEqual(['mem_b']);
    expect((await mirror.search('owl')).hits.map(({ memoryId }) => memoryId)).toEqual(['mem_b']);
    expect(await mirror.history('mem_a')).toHaveLength(2);
    expect(await mirror.writePages({ timeZone: 'Asia/Tokyo' })).toMatchObject({ written: 1, damaged: ['mem_a'] });
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Kept');
    const records: string[] = [];
    const exporting = (async () => {
      for await (const { id } of mirror.exportRecords()) records.push(id);
    })();
    await expectDamaged(exporting);
    expect(records).toEqual(['mem_b']);
    expect(await mirror.sync(client(), { media: true })).toMatchObject({ unchanged: 2, failed: [] });
  });

  test('is found by a check, and put back by a repair', async () => {
    const mirror = await open();
    const damaged: Damage[] = [{ memoryId: 'mem_a', part: 'version', version: 2, path: null }];
    expect(await mirror.check()).toEqual({ memories: 2, versions: 3, media: 2, damaged });
    expect(await mirror.repair(client())).toEqual({ requests: 1, repaired: 1, lost: [] });
    expect((await mirror.getMemory('mem_a'))?.memory.name).toBe('New zebra');
    expect((await mirror.history('mem_a')).map(({ type }) => type)).toEqual(['added', 'changed']);
    expect(await mirror.check()).toMatchObject({ damaged: [] });
  });

  test('is put back by a sync that reads it, also into index.html', async () => {
    const mirror = await open();
    await mirror.writePages({ timeZone: 'Asia/Tokyo' });
    const index = () => readFileSync(join(folder, 'index.html'), 'utf8');
    expect(index()).not.toContain('New zebra');
    expect(await mirror.sync(client(), { recheck: 2 })).toMatchObject({ unchanged: 2, failed: [] });
    expect((await mirror.getMemory('mem_a'))?.memory.name).toBe('New zebra');
    await mirror.writePages({ timeZone: 'Asia/Tokyo' });
    expect(index()).toContain('New zebra');
  });
});

describe('repair', () => {
  test('keeps an earlier version that the server no longer has as lost', async () => {
    damage('UPDATE versions SET content = ? WHERE content = ?', '{}', contentOf(1));
    const mirror = await open();
    const lost: Damage[] = [{ memoryId: 'mem_a', part: 'version', version: 1, path: null }];
    expect(await mirror.repair(client())).toEqual({ requests: 1, repaired: 0, lost });
    const [added] = await mirror.history('mem_a');
    await expectDamaged(mirror.getMemory('mem_a', { asOf: added?.at ?? '' }));
    expect((await mirror.getMemory('mem_a'))?.memory.name).toBe('New zebra');
    expect(await mirror.history('mem_a')).toHaveLength(2);
  });

  test("writes today's content as a new version if the newest one is lost", async () => {
    damage('UPDATE versions SET content = ? WHERE content = ?', '{}', contentOf(2));
    account.change = (memory) => (memory.id === 'mem_a' ? { ...memory, name: 'Newest zebra' } : memory);
    const mirror = await open();
    const lost = [{ memoryId: 'mem_a', part: 'version', version: 2, path: null }];
    expect(await mirror.repair(client())).toEqual({ requests: 1, repaired: 0, lost });
    expect((await mirror.getMemory('mem_a'))?.memory.name).toBe('Newest zebra');
    expect((await mirror.search('walrus')).hits).toMatchObject([{ name: 'Newest zebra', version: 3 }]);
    expect(await mirror.writePages({ timeZone: 'UTC' })).toEqual({
      ...{ written: 0, unchanged: 2, warnings: [], logPending: false },
    });
  });

  test('keeps what is damaged as lost if the server has no such memory', async () => {
    damage('UPDATE versions SET content = ? WHERE content = ?', '{}', contentOf(2));
    await account.remove('mem_a');
    onTestFinished(() => account.put(newest));
    const mirror = await open();
    expect(await mirror.repair(client())).toMatchObject({ repaired: 0, lost: [{ memoryId: 'mem_a', version: 2 }] });
  });

  test('loads recordings again, and writes pages and the index again', async () => {
    const mirror = await open();
    // The copied pages have other stamps.
    await mirror.writePages({ timeZone: 'UTC' });
    const { path = '' } = (await mirror.getMemory('mem_b'))?.media.audio ?? {};
    flip(join(folder, path));
    const page = 'index.html';
    flip(join(folder, page));
    damage("UPDATE units SET text = 'An eel.' WHERE text = 'An owl.'");
    const damaged: Damage[] = [
      { memoryId: 'mem_b', part: 'index', version: 1, path: null },
      { memoryId: 'mem_b', part: 'audio', version: null, path },
      { memoryId: null, part: 'page', version: null, path: page },
    ];
    expect((await mirror.check()).damaged).toEqual(damaged);
    expect(await mirror.repair(client())).toEqual({ requests: 1, repaired: 3, lost: [] });
    expect(readFileSync(join(folder, path))).toEqual(Buffer.from(account.media));
    expect(readFileSync(join(folder, page))).toEqual(readFileSync(join(whole, page)));
    expect((await mirror.search('owl')).hits).toHaveLength(1);
  });

  test.each([
    ['leaves its folder', './../../../../victim.mp3'],
    ['leaves its folder below a name', '.x/../../../../victim.mp3'],
    ['ends with a folder above', './..'],
    ['has a second folder', '.x/victim.mp3'],
    ['has a separator of Windows', '.x\\..\\victim.mp3'],
    ['has a NUL', '.mp3\0'],
  ])('writes no recording to a path that %s', async (_, suffix) => {
    const path = String(readRow(folder, 'SELECT path FROM media')?.path);
    damage('UPDATE media SET path = ? WHERE path = ?', path.replace(/\.mp3$/, suffix), path);
    const victim = join(folder, '..', 'victim.mp3');
    writeFileSync(victim, 'mine');
    onTestFinished(() => rmSync(victim));
    const before = [...readFolder(folder).keys()];
    const mirror = await open();
    expect((await mirror.check()).damaged).toMatchObject([{ part: 'audio' }]);
    expect(await mirror.repair(client())).toMatchObject({ repaired: 0, lost: [{ part: 'audio' }] });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect([...readFolder(folder).keys()].filter((file) => !file.includes('.sqlite-'))).toEqual(before);
  });

  test.each([
    ['folder of the recording', (path: string) => dirname(path)],
    ['recording', (path: string) => path],
  ])('and other readers use no link in place of the %s', async (_, linkedOf) => {
    const mirror = await open();
    const { path = '' } = (await mirror.getMemory('mem_b'))?.media.audio ?? {};
    const linked = join(folder, linkedOf(path));
    const outside = join(makeFolder(), 'outside');
    renameSync(linked, outside);
    symlinkSync(outside, linked);
    const file = join(outside, relative(linked, join(folder, path)));
    chmodSync(file, 0o644);
    const damaged = [{ memoryId: 'mem_b', part: 'audio', path }];
    expect(await mirror.check()).toMatchObject({ damaged });
    const options = { media: true, formats: ['srt'] } as const;
    const report = await mirror.exportFiles(join(makeFolder(), 'files'), options);
    expect(report).toMatchObject({ saved: 3, lacking: 1, failed: [] });
    writeFileSync(file, 'mine');
    await expect(mirror.repair(client())).rejects.toThrow(/it is a symbolic link\. Remove it, and try again\.$/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(statSync(file)).toMatchObject({ nlink: 1, mode: 0o100644 });
  });

  test('rejects the client of another server, and a mirror for reading', async () => {
    const mirror = await open();
    await expect(mirror.repair(account.clientOf('https://other.example.com'))).rejects.toMatchObject({
      code: 'other_server',
    });
    await expect(mirror.repair({} as never)).rejects.toMatchObject({ code: 'invalid_option' });
    await mirror.close();
    const reader = await open({ readOnly: true });
    await expect(reader.repair(client())).rejects.toMatchObject({ code: 'read_only' });
  });
});

/** Changes a byte in the middle of a file as a disk does: its times stay. */
function flip(path: string): void {
  const reference = join(makeFolder(), 'reference');
  execFileSync('touch', ['-r', path, reference]);
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  execFileSync('touch', ['-r', reference, path]);
}

describe('check', () => {
  test('finds nothing in a whole mirror, changes nothing, and works for reading only', async () => {
    const before = readFileSync(join(folder, 'mirror.sqlite'));
    const mirror = await open({ readOnly: true });
    expect(await mirror.check()).toEqual({ memories: 2, versions: 3, media: 2, damaged: [] });
    await mirror.close();
    expect(readFileSync(join(folder, 'mirror.sqlite'))).toEqual(before);
  });

  test('names a recording that is missing or cut, also one that was never read before', async () => {
    damage('UPDATE media SET sha256 = NULL');
    const mirror = await open();
    expect(await mirror.check()).toMatchObject({ damaged: [] });
    const { path = '' } = (await mirror.getMemory('mem_a'))?.media.audio ?? {};
    const damaged = [{ memoryId: 'mem_a', part: 'audio', version: null, path }];
    flip(join(folder, path));
    expect((await mirror.check()).damaged).toEqual(damaged);
    truncateSync(join(folder, path), 10);
    expect((await mirror.check()).damaged).toEqual(damaged);
    rmSync(join(folder, path));
    expect((await mirror.check()).damaged).toEqual(damaged);
  });

  test.each([
    ['of another memory', 'memory_key = 3 - memory_key', ['mem_a', 'mem_b']],
    ['of another kind', "kind = 'video'", ['mem_a', 'mem_b']],
  ])('names a recording %s, which no reader uses', async (_, change, ids) => {
    damage(`UPDATE media SET ${change} WHERE is_current = 1`);
    const mirror = await open();
    expect((await mirror.check()).damaged.map(({ memoryId }) => memoryId).sort()).toEqual(ids);
    for (const id of ids) expect((await mirror.getMemory(id))?.media).toEqual({});
    const report = await mirror.exportFiles(join(makeFolder(), 'files'), { media: true });
    expect(report).toMatchObject({ saved: 0, lacking: 2 });
  });

  test('an edited page is not damaged', async () => {
    writeFileSync(join(folder, 'index.html'), 'mine');
    expect(await (await open()).check()).toMatchObject({ damaged: [] });
  });

  test.each([
    ['fields', "UPDATE events SET fields = '[walrus' WHERE version = 2"],
    ['time', 'UPDATE events SET at = at + 1 WHERE version = 2'],
    ['type', "UPDATE events SET type = 'missing' WHERE version = 2"],
  ])('names a history with another %s, which cannot be read', async (_, sql) => {
    damage(sql);
    const mirror = await open();
    await expectDamaged(mirror.history('mem_a'));
    expect(await mirror.history('mem_b')).toHaveLength(1);
    expect((await mirror.check()).damaged).toEqual([
      { memoryId: 'mem_a', part: 'database', version: null, path: null },
    ]);
  });

  test('an abort rejects with the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('Stopped.'));
    await expect((await open()).check({ signal })).rejects.toThrow('Stopped.');
  });
});

describe('backup', () => {
  test('is a private mirror of what was committed, beside a reader and in a mirror for reading', async () => {
    const target = makeFolder();
    const naming = await open();
    const { memoryId = '' } = (await naming.search('walrus')).hits[0] ?? {};
    const [{ label } = { label: '' }] = await naming.people.speakers(memoryId);
    await naming.people.name(memoryId, label, 'Ada');
    await naming.close();
    const mirror = await open({ readOnly: true });
    const file = join(target, 'mirror.sqlite');
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    expect(size).toBe(0);
    const report = await mirror.backup(file);
    expect(report).toEqual({ file, size: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await mirror.close();
    folder = target;
    const copy = await open();
    expect((await copy.search('walrus speaker:ada')).hits).toHaveLength(1);
    expect(await copy.sync(client(), { media: true })).toMatchObject({ requests: 1, unchanged: 2, mediaSaved: 2 });
    expect(await copy.check()).toMatchObject({ damaged: [] });
  });

  test('never replaces a file, and leaves none after an abort or in a missing folder', async () => {
    const mirror = await open();
    const file = join(folder, 'mine.txt');
    writeFileSync(file, 'mine');
    await expect(mirror.backup(file)).rejects.toMatchObject({ code: 'storage' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await expect(mirror.backup(join(folder, 'missing', 'x'))).rejects.toMatchObject({ code: 'storage' });
    const signal = AbortSignal.abort(new Error('Stopped.'));
    await expect(mirror.backup(join(folder, 'new'), { signal })).rejects.toThrow('Stopped.');
    expect(existsSync(join(folder, 'new'))).toBe(false);
    await expect(mirror.backup('')).rejects.toMatchObject({ code: 'invalid_option' });
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

test('an export leaves out a damaged memory only, and names it', async () => {
  damage('UPDATE versions SET content = ? WHERE content = ?', contentOf(2).slice(0, 200), contentOf(2));
  const mirror = await open();
  const report = await mirror.exportFiles(join(makeFolder(), 'files'), { formats: ['srt', 'json'] });
  expect(report).toMatchObject({
    saved: 2,
    failed: expect.arrayContaining([expect.objectContaining({ memoryId: 'mem_a' })]),
  });
  for (const { memoryId, error } of report.failed) {
    expect([memoryId, error.code]).toEqual(['mem_a', 'damaged']);
    for (const word of words) expect(error.message).not.toContain(word);
  }
});
