import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import { createRecord, createTranscript } from '../../testing/test-records.ts';
import { startServer } from '../node/start-server.test-support.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import type { SqliteStore } from './open-sqlite-store.ts';
import type { Row } from './sqlite-database.ts';
import { createSqliteMemoryReader } from './sqlite-memory-reader.ts';
import { openTemporaryStore, temporaryStoreFile } from './temporary-store-file.test-support.ts';

const one = { userId: 'ada', memoryId: 'one' };
const [first, second] = ['first’s '.repeat(20_000), 'second’s'.repeat(20_000)];
const recordOf = (text: string) => createRecord({ id: 'one', transcript: createTranscript(text) });

let path: string;
let store: SqliteStore;

beforeEach(async () => {
  path = temporaryStoreFile();
  store = openTemporaryStore(path);
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [recordOf(first)]);
});

test('a long transcript is returned as its bytes, and equals what was stored, whatever its length', async () => {
  const frame = JSON.stringify(createTranscript('')).length;
  const kinds = new Set<string>();
  for (const bytes of [65_533, 65_534, 65_535, 65_536, 65_537, 65_538]) {
    const text = `€${'x'.repeat(bytes - frame - 3)}`;
    await store.putMemories('ada', [recordOf(text)]);
    const memory = await store.getMemory(one);
    expect(textOf(memory)).toBe(text);
    const sent = memory?.transcriptJson;
    if (typeof sent !== 'string') expect(sent).toHaveLength(bytes);
    kinds.add(`${typeof sent} ${bytes < 65_536 ? 'below' : 'from'} 64 KiB`);
  }
  expect([...kinds]).toEqual(['string below 64 KiB', 'object from 64 KiB']);
});

test('reads a transcript from the file once, as long as nothing is written', async () => {
  const { reader, rows } = openReader();
  const read = async () => (await reader.getMemory(one))?.transcriptJson as Uint8Array;
  const utf8 = await read();
  expect(await read()).toBe(utf8);
  expect(rows.filter((row) => 'utf8' in row).map((row) => row.utf8)).toEqual([new Uint8Array(utf8), null]);
});

test('reads changes of this connection at once', async () => {
  await store.getMemory(one);
  await store.putMemories('ada', [recordOf(second)]);
  expect(textOf(await store.getMemory(one))).toBe(second);
  await store.finishProcessing('ada', 'one', { transcript: createTranscript(first), summary: null });
  expect(textOf(await store.getMemory(one))).toBe(first);
  await store.finishProcessing('ada', 'one', { transcript: null, summary: null });
  expect(await store.getMemory(one)).toMatchObject({ transcriptJson: null });
  await store.deleteMemory('ada', 'one');
  expect(await store.getMemory(one)).toBeUndefined();
});

test('reads changes of another connection at once', async () => {
  const other = openTemporaryStore(path);
  for (const text of [second, first, second]) {
    await other.putMemories('ada', [recordOf(text)]);
    expect(textOf(await store.getMemory(one))).toBe(text);
    expect(textOf(await other.getMemory(one))).toBe(text);
  }
  await other.deleteMemory('ada', 'one');
  expect(await store.getMemory(one)).toBeUndefined();
});

test.each([
  ['gets another transcript', second],
  ['gets a short one', 'short'],
  ['loses its transcript', null],
  ['is deleted', undefined],
])('a memory that %s during a read is consistent', async (_, text) => {
  const { reader, beforeNextRead } = openReader();
  const other = openTemporaryStore(path);
  await reader.getMemory(one);
  const transcript = text ? createTranscript(text) : null;
  const summary = { quick_summary: 'Changed.', key_takeaways: [] };
  let changing: Promise<boolean> | undefined;
  beforeNextRead('utf8', () => {
    changing =
      text === undefined
        ? other.deleteMemory('ada', 'one')
        : other.finishProcessing('ada', 'one', { transcript, summary });
  });
  const memory = await reader.getMemory(one);
  if (text === undefined) expect(memory).toBeUndefined();
  else expect([textOf(memory), memory?.summaryJson]).toEqual([text, JSON.stringify(summary)]);
  expect(await changing).toBe(true);
});

test('a cached transcript belongs to one memory', async () => {
  await store.putAccount({ userId: 'grace' });
  await store.getMemory(one);
  expect(await store.getMemory({ userId: 'grace', memoryId: 'one' })).toBeUndefined();
});

test.each<[string, (store: MemoryStore) => MemoryStore, string]>([
  ['as it was stored', (own) => own, first],
  ['as a store around it changes it', changing(async (memory) => ({ ...memory, transcriptJson: short })), 'short'],
  [
    'as a store around it changes it in place',
    changing((memory) => Object.assign(memory, { transcriptJson: short })),
    'short',
  ],
])('a long transcript is sent %s', async (_, around, text) => {
  const mediaSigner = { sign: () => 'https://media.test/a' };
  const api = createMemoryApi({ store: around(store), authenticate: async () => ({ userId: 'ada' }), mediaSigner });
  const server = await startServer(api.respond);
  const request = new Request(`${server.url}/v1/memories/one`, { headers: { 'x-api-key': 'any' } });
  for (const response of [await fetch(request), await fetch(request), await api.fetch(request)]) {
    const { id, transcript, summary } = await response.json();
    expect([id, transcript.segments[0].text, summary]).toEqual(['one', text, recordOf(text).summary]);
  }
});

const short = JSON.stringify(createTranscript('short'));

function changing(change: (memory: StoredMemory) => Promise<StoredMemory> | StoredMemory) {
  return (own: MemoryStore): MemoryStore => ({
    ...own,
    async getMemory(query) {
      const memory = await own.getMemory(query);
      return memory && change(memory);
    },
  });
}

function textOf(memory: Awaited<ReturnType<MemoryStore['getMemory']>>): string | null {
  return JSON.parse(String(memory?.transcriptJson ?? null))?.segments[0].text ?? null;
}

/** A second reader that records the rows it reads, and runs code before one of its statements. */
function openReader() {
  const database = openSqliteDatabase(path);
  onTestFinished(() => database.close());
  const rows: Row[] = [];
  let [awaited, action]: [string, () => void] = ['', () => {}];
  const reader = createSqliteMemoryReader({
    ...database,
    get(sql, ...values) {
      if (awaited !== '' && sql.includes(awaited)) {
        awaited = '';
        action();
      }
      const row = database.get(sql, ...values);
      if (row) rows.push(row);
      return row;
    },
  });
  return {
    reader,
    rows,
    beforeNextRead: (part: string, happens: () => void) => {
      [awaited, action] = [part, happens];
    },
  };
}
