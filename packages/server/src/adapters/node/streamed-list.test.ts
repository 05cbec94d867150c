import { expect, onTestFinished, test } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { createManyRecords } from '../../testing/test-records.ts';
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import { createTemporaryStoreFile } from '../sqlite/temporary-store-file.test-support.ts';
import { serve } from './serve.ts';

const records = createManyRecords(500);

test.each([
  ['in memory', createInMemoryStore],
  ['in SQLite', openTemporaryStore],
])('sends memories %s while the store still reads the next ones', async (_, createStore) => {
  const store = createStore();
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', records);
  const gate = Promise.withResolvers<void>();
  const response = await fetch(`${await serveStore(holdAt(store, 300, gate.promise))}/v1/memories`, {
    headers: { 'x-api-key': 'key' },
  });
  let text = '';
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes(records[200]?.id ?? '')) text += (await pieces?.read())?.value;
  expect(text).not.toContain(records[300]?.id);
  gate.resolve();
  for (let piece = await pieces?.read(); piece?.done === false; piece = await pieces?.read()) text += piece.value;
  const listed: { id: string }[] = JSON.parse(text);
  expect(listed.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
});

function openTemporaryStore(): MemoryStore & MemoryStoreAdmin {
  const file = createTemporaryStoreFile();
  const store = openSqliteStore({ path: file.path });
  onTestFinished(async () => {
    await store.close();
    file.remove();
  });
  return store;
}

/** The store, with one memory of a list that waits for the gate. */
function holdAt(store: MemoryStore, heldIndex: number, gate: Promise<void>): MemoryStore {
  return {
    ...store,
    async *listMemories(query) {
      let index = 0;
      for await (const memory of store.listMemories(query)) {
        if (index === heldIndex) await gate;
        index += 1;
        yield memory;
      }
    },
  };
}

async function serveStore(store: MemoryStore): Promise<string> {
  const api = createMemoryApi({
    store,
    authenticate: async () => ({ userId: 'ada' }),
    mediaSigner: { sign: () => 'https://media.example/' },
  });
  const server = await serve({ fetch: api.fetch, port: 0, closeTimeout: 1 });
  onTestFinished(() => server.close());
  return server.url;
}
