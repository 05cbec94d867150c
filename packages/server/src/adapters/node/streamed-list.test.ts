import { expect, test } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import { createManyRecords } from '../../testing/test-records.ts';
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts';
import { openTemporaryStore } from '../sqlite/temporary-store-file.test-support.ts';
import { startServer } from './start-server.test-support.ts';

const records = createManyRecords(500);

test.each([
  ['in memory', createInMemoryStore],
  ['in SQLite', () => openTemporaryStore()],
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
  return (await startServer(api.fetch)).url;
}
