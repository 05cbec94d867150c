import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { markMissing, markReturned } from '../history/mark-memory.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { writeVersion } from '../history/write-version.ts';
import type { Mirror } from '../mirror.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { changeDatabase } from '../testing/own-database.ts';
import { countAfter, entriesAfter, newestPosition } from './event-log.ts';
import type { EventsOptions, MemoryEvent, MemoryEventType } from './event-types.ts';

let folder: string;
let database: ReturnType<typeof openDatabase>;
let mirror: Mirror;
const start = Date.parse('2026-08-20T12:00:00Z');

beforeEach(async () => {
  folder = makeFolder();
  mirror = await openForTest({ folder });
  database = openDatabase(folder, { readOnly: false });
  return () => database.close();
});

function write(overrides: Record<string, unknown> = {}, fields: string[] = [], now = start): number {
  return writeVersion(database, toStoredContent(sampleMemory(overrides)), { now, fields }).memoryKey;
}

const list = async (options?: EventsOptions) => (await mirror.events(options)).events;
const lines = (events: readonly MemoryEvent[]) =>
  events.map(({ type, data }) => [type.slice('memory.'.length), data.memory_id, ...data.fields].join(' '));

test('a memory is processed once, also if it is processed again', async () => {
  const key = write({ is_processing: true });
  write({ name: 'B', is_processing: true }, ['name']);
  write({ is_processing: false }, ['name', 'is_processing']);
  write({ is_processing: true }, ['is_processing']);
  write({ is_processing: false }, ['is_processing']);
  markMissing(database, key, start);
  markReturned(database, key, start);
  write({ id: 'mem_2' });
  expect(lines(await list())).toEqual([
    ...['added mem_1', 'changed mem_1 name', 'processed mem_1 name is_processing'],
    ...['changed mem_1 is_processing', 'changed mem_1 is_processing', 'missing mem_1', 'added mem_1'],
    ...['added mem_2', 'processed mem_2'],
  ]);
});

test('pages of one event have all events, and the cursor of the last page waits for the next event', async () => {
  write();
  write({ name: 'B' }, ['name']);
  const all = await list();
  const read: MemoryEvent[] = [];
  let cursor: string | undefined;
  for (let page = await mirror.events({ limit: 1 }); page.events.length > 0; ) {
    read.push(...page.events);
    cursor = page.cursor ?? undefined;
    page = await mirror.events({ limit: 1, after: cursor });
    expect(page.cursor).not.toBe(null);
  }
  expect(read).toEqual(all);
  expect(lines(read)).toEqual(['added mem_1', 'processed mem_1', 'changed mem_1 name']);
  write({ name: 'C' }, ['name']);
  expect(lines(await list({ after: cursor }))).toEqual(['changed mem_1 name']);
});

test('an empty log has no cursor, and a page without events of its types has one', async () => {
  expect(await mirror.events()).toEqual({ events: [], cursor: null });
  for (let count = 0; count < 30; count += 1) write({ id: `mem_${count}` });
  const { events, cursor } = await mirror.events({ types: ['memory.missing'] });
  expect(events).toEqual([]);
  expect(await mirror.events({ after: cursor ?? '' })).toEqual({ events: [], cursor });
});

describe('after', () => {
  test.each([
    '',
    'evt_',
    'evt_2',
    'evt_02_000000000000000000000000',
    'evt_3_000000000000000000000000',
    'mem_1',
    'evt_9007199254740993_000000000000000000000000',
  ])('%j is not an event of this mirror', async (after) => {
    write({ is_processing: true });
    await expect(mirror.events({ after })).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('the id of an event of another time, as after a backup was put back, is refused', async () => {
    write({}, [], start + 1);
    const [event] = await list();
    expect(event?.id).toMatch(/^evt_[0-9A-Za-z_]{1,60}$/);
    const other = makeFolder();
    const copy = await openForTest({ folder: other });
    const its = openDatabase(other, { readOnly: false });
    writeVersion(its, toStoredContent(sampleMemory()), { now: start, fields: [] });
    its.close();
    await expect(copy.events({ after: event?.id })).rejects.toMatchObject({ code: 'invalid_option' });
    expect((await copy.events()).events[0]?.id).not.toBe(event?.id);
  });

  test('the id of a purged event is accepted, and its position is never used again', async () => {
    write();
    write({ id: 'mem_2' });
    const [first, , , last] = await list();
    await mirror.purge('mem_2');
    expect(await mirror.events({ after: last?.id })).toEqual({ events: [], cursor: last?.id });
    write({ id: 'mem_3' });
    expect(lines(await list({ after: last?.id }))).toEqual(['added mem_3', 'processed mem_3']);
    await mirror.purge('mem_1');
    expect(lines(await list({ after: first?.id }))).toEqual(['added mem_3', 'processed mem_3']);
  });
});

describe('the body', () => {
  const strange = {
    new_field: 'https://x.example/?sig=SECRET',
    audio_url: 'https://x.example/a?sig=SECRET',
    summary: { quick_summary: 'We met.', key_takeaways: ['Well.'], plan_url: 'https://x.example/SECRET' },
    transcript: { segments: [{ ...sampleMemory().transcript?.segments[0], url: 'https://x.example/SECRET' }] },
  };

  test('has no URL and no field that the specification does not name, also in parts', async () => {
    write(strange);
    write({ ...strange, name: 'B' }, ['name', 'new_field', 'toString']);
    const events = await list({ payload: 'transcript' });
    expect(JSON.stringify(events)).not.toMatch(/https|SECRET|new_field|toString/);
    expect(events[0]?.data.memory).toMatchObject({
      media: ['audio'],
      transcript: { segments: [{ text: 'Good morning.' }] },
    });
    expect(lines(events).at(-1)).toBe('changed mem_1 name');
    expect((await list())[0]?.data.memory).not.toHaveProperty('transcript');
    expect((await list({ payload: 'reference' }))[0]?.data).toEqual({ memory_id: 'mem_1', fields: [] });
  });

  test('stays the same after later changes, and a memory that is listed again is as it was before', async () => {
    const key = write();
    const before = JSON.stringify(await list());
    write({ name: 'B' }, ['name']);
    markMissing(database, key, start);
    markReturned(database, key, start);
    const events = await list();
    expect(JSON.stringify(events.slice(0, 2))).toBe(before);
    expect(events.map(({ data }) => data.memory?.name)).toEqual(['Stand-up', 'Stand-up', 'B', undefined, 'B']);
  });

  test('over maxBytes loses transcript, summary, memory and fields, in this order', async () => {
    const long = (bytes: number) => 'é'.repeat(bytes / 2);
    const segment = { ...sampleMemory().transcript?.segments[0], text: long(4000) };
    const summary = { quick_summary: long(2000), key_takeaways: [] };
    write({ is_processing: true });
    const many = Array.from({ length: 400 }, () => 'name');
    write({ name: long(3000), summary, transcript: { segments: [segment] }, is_processing: true }, ['name']);
    write({ name: long(3100), summary, transcript: { segments: [segment] }, is_processing: true }, many);
    const omitted = async (maxBytes: number) =>
      (await list({ payload: 'transcript', maxBytes })).slice(1).map(({ data }) => data.omitted ?? []);
    expect(await omitted(20_000)).toEqual([[], []]);
    expect(await omitted(8_000)).toEqual([['transcript'], ['transcript', 'summary']]);
    expect(await omitted(5_000)).toEqual([
      ['transcript', 'summary'],
      ['transcript', 'summary', 'memory'],
    ]);
    expect(await omitted(1_024)).toEqual([
      ['transcript', 'summary', 'memory'],
      ['transcript', 'summary', 'memory', 'fields'],
    ]);
  });

  test('of a damaged version lacks the memory', async () => {
    write();
    write({ name: 'B' }, ['name']);
    changeDatabase(folder, 'UPDATE versions SET content = replace(content, \'"B"\', \'"C"\')');
    const events = await list();
    expect(events.map(({ data }) => data.omitted)).toEqual([undefined, undefined, ['memory']]);
    expect(JSON.stringify(events)).not.toContain('"C"');
    changeDatabase(folder, 'DELETE FROM versions WHERE version = 2');
    expect((await list()).at(-1)?.data).toEqual({ memory_id: 'mem_1', fields: ['name'], omitted: ['memory'] });
  });
});

test.each(["fields = '[x'", 'at = at + 1', 'ends_processing = 1', "type = 'missing'", 'memory_key = 7'])(
  'a page ends before an event with %s, and the next page names its memory',
  async (change) => {
    write();
    write({ name: 'B' }, ['name']);
    changeDatabase(folder, `UPDATE events SET ${change} WHERE version = 2`);
    const { events, cursor } = await mirror.events();
    expect(lines(events)).toEqual(['added mem_1', 'processed mem_1']);
    await expect(mirror.events({ after: cursor ?? '' })).rejects.toMatchObject({ code: 'damaged' });
    expect((await mirror.check()).damaged).toContainEqual(expect.objectContaining({ part: 'database' }));
  },
);

test.each<[EventsOptions]>([
  [{ types: [] }],
  [{ types: ['added' as MemoryEventType] }],
  [{ types: 'memory.added' as never }],
  [{ payload: 'all' as never }],
  [{ maxBytes: 1_023 }],
  [{ limit: 0 }],
  [{ limit: 1_001 }],
  [{ after: 7 as never }],
  [{ maxbytes: 5_000 } as never],
  [null as never],
])('refuses %j', async (options) => {
  await expect(mirror.events(options)).rejects.toMatchObject({ code: 'invalid_option' });
});

test('a log of 100,000 events is read and counted by its index', () => {
  database.exec(`
    INSERT INTO memories (memory_id, started_at, start_slot, disambiguator, current_version, indexed_version, last_event,
      last_event_at, read_at, list_state) VALUES ('mem_1', 0, 0, 0, 1, 1, 1, 0, 0, '');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO events (memory_key, version, type, at, fields, ends_processing, checksum)
      SELECT 1, i, 'changed', i, '[]', 0, 0 FROM n`);
  write({ id: 'mem_2' });
  const position = newestPosition(database);
  expect(position).toBe(200_003);
  expect(entriesAfter(database, 200_001, 5).map((entry) => entry.position)).toEqual([200_002, 200_003]);
  expect(entriesAfter(database, position, 5)).toEqual([]);
  const types = new Set<MemoryEventType>(['memory.changed', 'memory.processed']);
  expect([0, 199_998, 200_000, 200_002, 200_003].map((each) => countAfter(database, each, types))).toEqual([
    100_001, 2, 1, 1, 0,
  ]);
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  entriesAfter(database, position, 1);
  countAfter(database, position, types);
  for (const sql of statements) {
    const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
    expect(plan.join('\n')).toMatch(/^SEARCH events USING INTEGER PRIMARY KEY/);
    expect(plan.filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
  }
  expect(statements).toHaveLength(2);
});
