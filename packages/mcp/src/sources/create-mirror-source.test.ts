import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MemoryClient } from '@memory-read/client';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Assistant, openAssistant } from '../testing/open-assistant.ts';
import { createMirrorSource } from './create-mirror-source.ts';

const mock = createMemoryMock({ memories: [] });
const { baseUrl, apiKey } = mock;
const client = new MemoryClient({ baseUrl, apiKey, fetch: mock.fetch });
let now: number;
let folder: string;
let mirror: Mirror;
let assistant: Assistant;

beforeEach(async () => {
  mock.reset();
  now = Date.parse('2026-02-01T00:00:00Z');
  const clock = { now: () => new Date(now) };
  folder = makeFolder();
  mirror = await openMirror({ folder, clock });
  assistant = await openAssistant({ source: createMirrorSource(mirror, { clock }) });
});
afterEach(async () => {
  await assistant.client.close();
  await mirror.close();
});

function add(index: number, texts: readonly string[], name = 'Talk'): string {
  const started_at = new Date(Date.parse('2026-01-01T00:00:00Z') + index * 60_000).toISOString();
  const segments = texts.map((text, at) => ({
    speaker: `Speaker ${at + 1}`,
    start_at: started_at,
    end_at: started_at,
    text,
  }));
  return mock.memories.add({ id: `m${index}`, name, started_at, ended_at: started_at, transcript: { segments } }).id;
}

async function call(name: string, input: Record<string, unknown>) {
  const { content, isError, text } = await assistant.call(name, input);
  expect(isError, text).toBe(false);
  return content;
}

async function collect(name: 'search' | 'list_memories', input: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const content = await call(name, { ...input, cursor });
    ids.push(...(content.results ?? content.memories).map(({ id }: { id: string }) => id));
    cursor = content.next_cursor;
  }
  return ids;
}

test('never shows or proves words of a damaged memory, and finds the others', async () => {
  const damaged = add(1, ['The price is nine percent.']);
  const kept = add(2, ['The price is ten percent.']);
  await mirror.sync(client);
  const { receipts } = await call('verify_quote', { id: damaged, quote: 'nine percent' });
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'));
  database.exec("UPDATE versions SET content = replace(content, 'nine', 'five')");
  database.close();
  expect(await collect('search', { query: 'price' })).toEqual([kept]);
  expect(await collect('list_memories', {})).toEqual([kept]);
  for (const [name, input] of [
    ['fetch', { id: damaged }],
    ['verify_quote', { id: damaged, quote: 'five percent' }],
    ['verify_quote', { id: damaged, quote: 'nine percent' }],
    ['verify_quote', { receipt: receipts[0] }],
  ] as const) {
    const { isError, text } = await assistant.call(name, input);
    expect([isError, text], name).toEqual([true, expect.stringContaining('memory-read mirror --repair')]);
    expect(text).not.toMatch(/five|nine/);
  }
});

test('verifies a receipt of an older version with the history', async () => {
  const id = add(1, ['We ship the teal door.', 'Fine.']);
  await mirror.sync(client);
  now += 60_000;
  const { results, coverage } = await call('search', { query: 'teal' });
  expect(coverage).toEqual({ complete: true });
  const { receipt } = results[0];
  expect(await call('verify_quote', { receipt })).toMatchObject({ status: 'valid', whole: true });

  mock.memories.update(id, { name: 'Other', transcript: { segments: [] } });
  now += 60_000;
  await mirror.sync(client);
  expect(await call('verify_quote', { receipt })).toMatchObject({
    status: 'superseded',
    valid_when_read: true,
    receipts: [],
  });
  const forged = { ...receipt, quote: 'We ship the red door..' };
  expect(await call('verify_quote', { receipt: forged })).toMatchObject({
    status: 'superseded',
    valid_when_read: false,
  });
  const early = { ...receipt, read_at: '2020-01-01T00:00:00.000Z' };
  expect(await call('verify_quote', { receipt: early })).not.toHaveProperty('valid_when_read');
  const never = { ...receipt, read_at: 'never' };
  expect(await call('verify_quote', { receipt: never })).not.toHaveProperty('valid_when_read');
});

test('finds words in one memory, also in several turns', async () => {
  add(1, ['We talk about doors.', 'They are teal.']);
  add(2, ['We talk about doors.', 'They are red.']);
  await mirror.sync(client);
  expect(await collect('search', { query: 'teal door' })).toEqual(['m1']);
  expect(await collect('search', { query: 'teal door', speaker: 'Speaker 2' })).toEqual([]);
});

test('returns every memory once, while memories are added and removed', async () => {
  const expected = Array.from({ length: 130 }, (_, index) => add(index, ['About zebras.'])).toReversed();
  await mirror.sync(client);
  expect(await collect('search', { query: 'zebras' })).toEqual(expected);
  expect(await collect('list_memories', { limit: 50 })).toEqual(expected);

  const first = await call('list_memories', { limit: 50 });
  add(500, ['About zebras.']);
  mock.memories.remove(first.memories[49].id);
  mock.memories.remove(expected[60] as string);
  now += 60_000;
  await mirror.sync(client);
  const second = await call('list_memories', { limit: 50, cursor: first.next_cursor });
  expect(second.memories.map(({ id }: { id: string }) => id)).toEqual(
    expected.filter((_, at) => at >= 50 && at <= 100 && at !== 60),
  );
});

test('neither finds nor reads memories that the account no longer has, and verifies their receipts', async () => {
  const id = add(1, ['About zebras.']);
  add(2, ['Nothing.']);
  await mirror.sync(client);
  const { receipt } = (await call('search', { query: 'zebras' })).results[0];
  mock.memories.remove(id);
  now += 60_000;
  await mirror.sync(client);
  expect(await collect('search', { query: 'zebras' })).toEqual([]);
  expect(await collect('list_memories', {})).toEqual(['m2']);
  const verified = { status: 'superseded', valid_when_read: true, receipts: [] };
  expect(await call('verify_quote', { receipt })).toMatchObject(verified);
  const forged = { ...receipt, quote: 'About lions..' };
  expect(await call('verify_quote', { receipt: forged })).toMatchObject({ ...verified, valid_when_read: false });
  for (const [name, input] of [
    ['fetch', { id }],
    ['verify_quote', { id, quote: 'About zebras.' }],
    ['verify_quote', { receipt: { ...receipt, memory_id: 'none' } }],
    ['verify_quote', { receipt: { ...receipt, read_at: '2020-01-01T00:00:00.000Z' } }],
  ] as const) {
    expect(await assistant.call(name, input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('no memory has this id'),
    });
  }
});

test('a search reads only what it shows, and says why it finds nothing', async () => {
  for (let index = 0; index < 60; index += 1) add(index, [index < 4 ? 'About zebras.' : 'Nothing.']);
  await mirror.sync(client);
  const reads: string[] = [];
  const spied = {
    search: mirror.search.bind(mirror),
    listMemories: mirror.listMemories.bind(mirror),
    getMemory: (id: string) => {
      reads.push(id);
      return mirror.getMemory(id);
    },
  };
  const own = await openAssistant({ source: createMirrorSource(spied) });
  const { results } = (await own.call('search', { query: 'zebras' })).content;
  expect([results.length, reads]).toEqual([4, ['m3', 'm2', 'm1', 'm0']]);
  reads.length = 0;
  const { content } = await own.call('search', { query: 'zebras giraffe' });
  expect(content).toMatchObject({
    results: [],
    words: [
      { word: 'zebras', memories: 4 },
      { word: 'giraffe', memories: 0 },
    ],
    nearest: [{ id: 'm3' }, { id: 'm2' }, { id: 'm1' }],
  });
  expect(reads).toHaveLength(3);
  await own.client.close();
});

test('limits a search by dates', async () => {
  add(1, ['About zebras.']);
  add(3_000, ['About zebras.']);
  await mirror.sync(client);
  expect(await collect('search', { query: 'zebras', until: '2026-01-01' })).toEqual(['m1']);
  expect(await collect('search', { query: 'zebras', since: '2026-01-02' })).toEqual(['m3000']);
});

test('rejects the cursor of another mirror with advice', async () => {
  for (let index = 0; index < 3; index += 1) add(index, ['About zebras.']);
  await mirror.sync(client);
  const { next_cursor } = await call('list_memories', { limit: 1 });
  const [mark] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString());
  const cursor = Buffer.from(JSON.stringify([mark, 'damaged', 1, 'm1'])).toString('base64url');
  expect(await assistant.call('list_memories', { cursor })).toMatchObject({
    isError: true,
    text: expect.stringContaining('again without a cursor'),
  });
});
