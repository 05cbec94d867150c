import { DatabaseSync } from 'node:sqlite';
import type { MemoryRecord } from '@memory-read/contract';
import { createMemoryApi, type MemoryStore, type StoredMemory, toStoredMemory } from '@memory-read/server';
import { memoryStoreCases } from '@memory-read/server/testing';
import { expect, test } from 'vitest';

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

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE recordings (owner TEXT, id TEXT PRIMARY KEY, started_at TEXT, stored TEXT)');
  return database;
}

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
  const list = (token: string) =>
    api.fetch(new Request('http://localhost/v1/memories', { headers: { 'x-api-key': token } }));
  expect(await (await list('token-of-user-1')).json()).toEqual([]);
  expect((await list('another')).status).toBe(401);
  database.close();
});
