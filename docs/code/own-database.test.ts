// #region own-imports
import { DatabaseSync } from 'node:sqlite';
import type { MemoryRecord } from '@memory-read/contract';
import { createMemoryApi, type MemoryStore, type StoredMemory, toStoredMemory } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
// #endregion
import { memoryStoreCases } from '@memory-read/server/testing';
import { expect, test, vi } from 'vitest';

// #region own-store
function createRecordingStore(database: DatabaseSync): MemoryStore {
  const all = database.prepare('SELECT stored FROM recordings WHERE owner = ? ORDER BY started_at DESC, id DESC');
  const one = database.prepare('SELECT stored FROM recordings WHERE owner = ? AND id = ?');
  const read = (row: Record<string, unknown>): StoredMemory => JSON.parse(String(row.stored));
  return {
    async *listMemories({ userId, signal }) {
      for (const row of all.all(userId)) {
        signal?.throwIfAborted();
        const { transcriptJson, ...memory } = read(row); // lists contain no transcripts
        yield memory;
      }
    },
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      if (!memoryId.isWellFormed()) return undefined; // the database would change the id
      const row = one.get(userId, memoryId);
      return row && read(row);
    },
  };
}
// #endregion

// #region own-pages
function createPagedStore(database: DatabaseSync): MemoryStore {
  const page = database.prepare(
    'SELECT stored FROM recordings WHERE owner = ? AND (started_at, id) < (?, ?) ORDER BY started_at DESC, id DESC LIMIT 200',
  );
  return {
    ...createRecordingStore(database),
    async *listMemories({ userId, signal }) {
      let last = { started_at: ':', id: '' }; // newer than every memory
      for (;;) {
        signal?.throwIfAborted();
        const rows = page.all(userId, last.started_at, last.id);
        for (const row of rows) {
          signal?.throwIfAborted();
          const { transcriptJson, ...memory }: StoredMemory = JSON.parse(String(row.stored));
          yield memory;
          last = memory;
        }
        if (rows.length < 200) return;
      }
    },
  };
}
// #endregion

// #region own-columns
function toMemory(row: Record<string, unknown>): StoredMemory {
  const start = new Date(Number(row.begin_ms));
  const end = new Date(Number(row.end_ms));
  return toStoredMemory(String(row.owner), {
    id: `rec_${row.number}`,
    name: String(row.title),
    started_at: start.toISOString(),
    ended_at: end.toISOString(),
    duration_seconds: Math.round((end.getTime() - start.getTime()) / 1000),
    is_processing: row.text === null,
    media: { audio: { object_key: String(row.file), content_type: 'audio/mpeg' } },
    transcript: null,
    summary: row.text === null ? null : { quick_summary: String(row.text), key_takeaways: [] },
  });
}
// #endregion

// #region own-writer
function saveRecording(database: DatabaseSync, owner: string, record: MemoryRecord): void {
  const stored = toStoredMemory(owner, record); // throws InvalidMemoryRecordError
  database
    .prepare('REPLACE INTO recordings (owner, id, started_at, stored) VALUES (?, ?, ?, ?)')
    .run(owner, stored.id, stored.started_at, JSON.stringify(stored));
}
// #endregion

// #region own-store-cases
async function createHarness() {
  const database = openDatabase(':memory:');
  return {
    store: createRecordingStore(database),
    async seed(userId: string, records: Iterable<MemoryRecord>) {
      for (const record of records) saveRecording(database, userId, record);
    },
    close: async () => database.close(),
  };
}

for (const { title, run } of memoryStoreCases(createHarness)) test(title, run);
// #endregion

for (const { title, run } of memoryStoreCases(async () => {
  const database = openDatabase(':memory:');
  const seed = async (userId: string, records: Iterable<MemoryRecord>) => {
    for (const record of records) saveRecording(database, userId, record);
  };
  return { store: createPagedStore(database), seed, close: async () => database.close() };
})) {
  test(`in pages: ${title}`, run);
}

test('a row with columns of its own becomes a memory', () => {
  const row = {
    ...{ owner: 'ada', number: 7, title: 'Planning', begin_ms: 0, end_ms: 1500 },
    file: '7.mp3',
    text: 'Hello',
  };
  expect(toMemory(row)).toMatchObject({
    ...{ id: 'rec_7', user_id: 'ada', name: 'Planning', started_at: '1970-01-01T00:00:00.000Z', duration_seconds: 2 },
    ...{ is_processing: false, summaryJson: '{"quick_summary":"Hello","key_takeaways":[]}', transcriptJson: null },
  });
});

// #region own-open
function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    'CREATE TABLE IF NOT EXISTS recordings (owner TEXT, id TEXT PRIMARY KEY, started_at TEXT, stored TEXT)',
  );
  return database;
}
// #endregion

test('the API reads the database that the store was made for', async () => {
  const database = openDatabase(':memory:');
  const accountOfToken = async (token: string) => (token === 'token-of-user-1' ? 'user_1' : undefined);
  // #region own-api
  const api = createMemoryApi({
    store: createRecordingStore(database),
    authenticate: async (key) => {
      const userId = await accountOfToken(key); // your own look-up
      return userId === undefined ? undefined : { userId };
    },
    mediaSigner: { sign: ({ objectKey }) => `https://media.example.com/${objectKey}?signature=…` },
  });
  // #endregion
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  // #region own-serve
  const server = await serve({ fetch: api.respond, port: 0 }); // 0 uses any free port
  console.log(`The API is at ${server.url}/v1`);
  // #endregion
  await server.close();
  expect(log).toHaveBeenCalledOnce();
  const list = (token: string) =>
    api.fetch(new Request('http://localhost/v1/memories', { headers: { 'x-api-key': token } }));
  expect(await (await list('token-of-user-1')).json()).toEqual([]);
  expect((await list('another')).status).toBe(401);
  database.close();
});
