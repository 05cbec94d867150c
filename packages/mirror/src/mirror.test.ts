import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inTransaction } from './database/in-transaction.ts';
import type { MirrorDatabase } from './database/mirror-database.ts';
import { openDatabase } from './database/open-database.ts';
import { WriterLock } from './database/writer-lock.ts';
import { markMissing, markReturned, noteRead } from './history/mark-memory.ts';
import { toStoredContent } from './history/stored-content.ts';
import { writeVersion } from './history/write-version.ts';
import { type Mirror, openMirror, type RangeOptions } from './index.ts';
import { openForTest } from './testing/open-for-test.ts';
import { filesWith, readFolder } from './testing/read-folder.ts';

const noon = Date.parse('2026-11-23T12:00:00.000Z');
const at = (minutes: number) => noon + minutes * 60_000;
let folder: string;

beforeEach(() => {
  folder = makeFolder();
});

/** Writes to a mirror as a sync does. */
function change<Result>(work: (database: MirrorDatabase) => Result): Result {
  const database = openDatabase(folder, { readOnly: false });
  try {
    return inTransaction(database, () => work(database));
  } finally {
    database.close();
  }
}

const add = (overrides: Record<string, unknown> = {}, now = noon, fields: string[] = []) =>
  change((database) => writeVersion(database, toStoredContent(sampleMemory(overrides)), { now, fields }));

const open = (options: { readOnly?: boolean } = {}) => openForTest({ folder, ...options });

describe('getMemory and history', () => {
  test('return a memory without URLs, with the number of its event and the time of the read', async () => {
    add();
    const mirror = await open();
    expect(await mirror.getMemory('mem_1')).toEqual({
      memory: sampleMemory({ audio_url: null }),
      version: 1,
      seenAt: new Date(noon),
      missingSince: null,
      names: {},
      me: null,
      media: {},
    });
    expect(await mirror.history('mem_1')).toEqual([{ version: 1, type: 'added', at: new Date(noon), fields: [] }]);
    expect(await mirror.getMemory('mem_2')).toBeUndefined();
    expect(await mirror.history('mem_2')).toEqual([]);
  });

  test('return the version and missingSince as of a time, and undefined before the first version', async () => {
    const { memoryKey } = add({ name: 'One' });
    change((database) => markMissing(database, memoryKey, at(1)));
    change((database) => markReturned(database, memoryKey, at(2)));
    add({ name: 'Two' }, at(3), ['name']);
    change((database) => markMissing(database, memoryKey, at(4)));
    add({ name: 'Three' }, at(5), ['name']);
    const mirror = await open();
    const seen = async (instant: number) => {
      const mirrored = await mirror.getMemory('mem_1', { asOf: new Date(instant) });
      return mirrored && [mirrored.memory.name, mirrored.version, mirrored.missingSince?.getTime()];
    };
    expect(await seen(noon - 1)).toBeUndefined();
    expect(await seen(noon)).toEqual(['One', 1, undefined]);
    expect(await seen(at(1))).toEqual(['One', 1, at(1)]);
    expect(await seen(at(2))).toEqual(['One', 1, undefined]);
    expect(await seen(at(3))).toEqual(['Two', 4, undefined]);
    expect(await seen(at(4))).toEqual(['Two', 4, at(4)]);
    expect(await seen(at(6))).toEqual(['Three', 7, undefined]);
    expect(await mirror.getMemory('mem_1', { asOf: '2026-11-23T21:03:00+09:00' })).toMatchObject({ version: 4 });
    expect((await mirror.history('mem_1')).map(({ version, type, fields }) => [version, type, ...fields])).toEqual([
      [1, 'added'],
      [2, 'missing'],
      [3, 'returned'],
      [4, 'changed', 'name'],
      [5, 'missing'],
      [6, 'returned'],
      [7, 'changed', 'name'],
    ]);
  });

  test('never go back in time, even if the clock does', async () => {
    const { memoryKey } = add();
    change((database) => markMissing(database, memoryKey, noon - 60_000));
    change((database) => noteRead(database, memoryKey, { now: at(9), listState: '' }));
    add({ name: 'Two' }, noon - 120_000);
    const times = (await (await open()).history('mem_1')).map((event) => event.at.getTime() - noon);
    expect(times).toEqual([0, 1, 2, 3]);
  });
});

describe('listMemories', () => {
  test('returns memories newest first without transcripts, and no page skips or repeats one', async () => {
    for (let index = 0; index < 7; index += 1) {
      add({ id: `mem_${index}`, started_at: `2026-08-20T10:00:0${Math.floor(index / 2)}.00${index % 2}Z` });
    }
    const mirror = await open();
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await mirror.listMemories({ limit: 2, ...(cursor !== null && { cursor }) });
      ids.push(...page.memories.map(({ memory }) => memory.id));
      expect(page.memories[0]?.memory.transcript).toBeNull();
      cursor = page.cursor;
      add({ id: `newer_${ids.length}`, started_at: '2027-01-01T00:00:00Z' });
    } while (cursor !== null);
    expect(ids).toEqual(['mem_6', 'mem_5', 'mem_4', 'mem_3', 'mem_2', 'mem_1', 'mem_0']);
    expect((await mirror.listMemories({ limit: 11 })).cursor).toBeNull();
  });

  test('includes since, and until if it is a day or a year, in order from year 1 to 9999', async () => {
    for (const year of ['0001', '1969', '2026', '2600', '9999'])
      add({ id: year, started_at: `${year}-01-01T00:00:00Z` });
    const mirror = await open();
    const years = async (options = {}) => (await mirror.listMemories(options)).memories.map(({ memory }) => memory.id);
    expect(await years()).toEqual(['9999', '2600', '2026', '1969', '0001']);
    expect(await years({ since: '1969-01-01', until: '2600-01-01' })).toEqual(['2600', '2026', '1969']);
    expect(await years({ since: '1969', until: '2600-01-01T00:00' })).toEqual(['2026', '1969']);
    expect(await years({ until: '1968', timeZone: 'America/New_York' })).toEqual(['1969', '0001']);
    expect(await years({ since: new Date('2026-01-01T00:00:00.001Z') })).toEqual(['9999', '2600']);
  });

  test('rejects a cursor of another range', async () => {
    add();
    add({ id: 'mem_2' });
    const mirror = await open();
    const { cursor } = await mirror.listMemories({ limit: 1 });
    for (const options of [
      { cursor, until: '2030-01-01' },
      { cursor, since: '2020-01-01' },
      { cursor: 'x' },
      { cursor: 7 },
      { limit: 0 },
      { since: 'x' },
    ]) {
      await expect(mirror.listMemories(options as never)).rejects.toMatchObject({ code: 'invalid_option' });
    }
  });
});

describe('purge', () => {
  const secrets = ['mem_secret', 'Quarterly zebra', 'Unsaid walrus', 'Earlier giraffe'];
  const addSecret = () => {
    const segment = { speaker: 'Speaker 1', start_at: '2026-08-20T10:00:01Z', end_at: '2026-08-20T10:00:02Z' };
    const transcript = (text: string) => ({ segments: [{ ...segment, text }] });
    add({ id: 'mem_secret', name: 'Quarterly zebra', transcript: transcript('Earlier giraffe') });
    add({ id: 'mem_secret', name: 'Quarterly zebra', transcript: transcript('Unsaid walrus') }, at(1), ['transcript']);
  };
  const found = () => secrets.flatMap((secret) => filesWith(folder, secret));

  test('keeps an edited page and names it', async () => {
    addSecret();
    const mirror = await open();
    await mirror.writePages({ timeZone: 'Asia/Tokyo' });
    const [page] = [...readFolder(join(folder, 'pages')).keys()];
    writeFileSync(String(page), 'mine');
    const { leftFiles } = await mirror.purge('mem_secret');
    expect(leftFiles.map((path) => join(folder, path))).toEqual([page]);
  });

  test('rejects with busy while a reader uses the log, and is finished by the next opening for writing', async () => {
    addSecret();
    const mirror = await open();
    const reader = openDatabase(folder, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM memories').get();
    await expect(mirror.purge('mem_secret')).rejects.toMatchObject({ code: 'busy' });
    expect(await mirror.getMemory('mem_secret')).toBeUndefined();
    reader.close();
    await mirror.close();
    await open();
    expect(found()).toEqual([]);
  });
});

test('reads while another writer is running, but rejects purge and writePages with busy', async () => {
  add();
  const mirror = await open();
  const lock = WriterLock.take(folder, 'sync');
  onTestFinished(() => lock.release());
  await expect(mirror.purge('mem_1')).rejects.toMatchObject({ code: 'busy' });
  await expect(mirror.writePages()).rejects.toMatchObject({ code: 'busy' });
  expect((await mirror.listMemories()).memories).toHaveLength(1);
});

test('rejects writes of a mirror for reading, and every call of a closed mirror', async () => {
  add();
  const mirror = await open({ readOnly: true });
  await expect(mirror.purge('mem_1')).rejects.toMatchObject({ code: 'read_only' });
  await mirror.close();
  await mirror.close();
  await expect(mirror.listMemories()).rejects.toMatchObject({ code: 'closed' });
  await expect(mirror.exportRecords()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'closed' });
});

test.each([
  undefined,
  null,
  [],
  {},
  { folder: '' },
  { folder: 7 },
  { folder: 'x', readOnly: 1 },
  { folder: 'x', clock: {} },
  { folder: 'a\0b' },
  { folder: 'x', readonly: true },
  { folder: 'x', read_only: true },
])('rejects the options %j', async (options) => {
  await expect(openMirror(options as never)).rejects.toMatchObject({ code: 'invalid_option' });
});

test.each([{ signal: {} }, { signal: null }, { timeZone: 7 }, { since: 'x' }])(
  'rejects the options %j of writePages',
  async (options) => {
    const mirror = await open();
    await expect(mirror.writePages(options as never)).rejects.toMatchObject({ code: 'invalid_option' });
  },
);

test.each<[string, (mirror: Mirror, range: RangeOptions) => Promise<unknown>]>([
  ['search', (mirror, range) => mirror.search('word', range)],
  ['listMemories', (mirror, range) => mirror.listMemories(range)],
  ['exportRecords', (mirror, range) => mirror.exportRecords(range)[Symbol.asyncIterator]().next()],
  ['writePages', (mirror, range) => mirror.writePages(range)],
  ['sync', (mirror, range) => mirror.sync(new MemoryClient({ apiKey: 'k', baseUrl: 'https://x.example' }), range)],
])('%s rejects a text that is not a time, and an unknown time zone', async (_, call) => {
  const mirror = await open();
  for (const range of [
    { since: 'yesterday' },
    { until: 'now' },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '+01:00' },
  ]) {
    await expect(call(mirror, range)).rejects.toMatchObject({ code: 'invalid_option' });
  }
});

test('writes pages in UTC if the system has no time zone', async () => {
  vi.stubEnv('TZ', '');
  add({ started_at: '2026-08-20T10:00:00Z' });
  expect(await (await open()).writePages()).toMatchObject({ written: 1 });
  vi.unstubAllEnvs();
});

test.each<[string, (mirror: Mirror) => Promise<unknown>]>([
  ['asof', (mirror) => mirror.getMemory('mem_1', { asof: new Date(0) } as object)],
  ['kinds', (mirror) => mirror.search('word', { kinds: ['name'] } as object)],
  ['timezone', (mirror) => mirror.writePages({ timezone: 'UTC' } as object)],
  ['limits', (mirror) => mirror.listMemories({ limits: 5 } as object)],
  [
    'dryrun',
    (mirror) => mirror.sync(new MemoryClient({ apiKey: 'k', baseUrl: 'https://x.example' }), { dryrun: 1 } as object),
  ],
])('rejects the option %s, which has no effect, by its name', async (name, call) => {
  const mirror = await open();
  await expect(call(mirror)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(`the option "${name}" is not supported. Use `),
  });
});
