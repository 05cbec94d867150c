import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryApi, type MemoryApi } from '../create-memory-api.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import { toStoredMemory } from '../records/to-stored-memory.ts';
import { createManyRecords } from '../testing/test-records.ts';

type HeldStore = ReturnType<typeof createHeldStore>;

const request = (signal?: AbortSignal) =>
  new Request('http://a/v1/memories', { headers: { 'x-api-key': 'k' }, ...(signal && { signal }) });
const rows = createManyRecords(300).map((record) => toStoredMemory('ada', record));

test('a client that disconnects while the store reads ends the list, which is not a failure', async () => {
  const store = createHeldStore(200);
  const { api, errors } = setUp(store);
  await leaveWhileHeld(api, store);
  expect(store.given(), 'the row that was in flight').toBe(201);
  expect(errors).toEqual([]);
});

test('a client that disconnects before the first row ends the list, which is not a failure', async () => {
  const store = createHeldStore(0);
  const { api, errors } = setUp(store);
  const leaving = new AbortController();
  const asked = api.fetch(request(leaving.signal));
  await store.reached;
  leaving.abort();
  store.goOn();
  await asked;
  await store.ended;
  expect(store.given()).toBe(0);
  expect(errors).toEqual([]);
});

/** Reads until the store blocks, disconnects, and lets the store continue. */
async function leaveWhileHeld(api: MemoryApi, store: HeldStore): Promise<void> {
  const response = await api.fetch(request());
  const reader = response.body?.getReader();
  const reading = (async () => {
    while (!(await reader?.read())?.done);
  })();
  await store.reached;
  const left = reader?.cancel();
  store.goOn();
  await Promise.all([left, reading, store.ended]);
  await nextTurn();
}

function setUp(store: MemoryStore, sign: () => string = () => '') {
  const errors: unknown[] = [];
  const api = createMemoryApi({
    store,
    authenticate: async () => ({ userId: 'ada' }),
    mediaSigner: { sign },
    onError: (error) => errors.push(error),
  });
  return { api, errors };
}

test('reports a failure of the store even after the client has disconnected', async () => {
  const store = createHeldStore(200, new Error('too slow'));
  const { api, errors } = setUp(store);
  await leaveWhileHeld(api, store);
  expect(errors).toEqual([new Error('too slow')]);
});

test.each([0, 200])('reports the first failure, not that of the end of the store (after %i URLs)', async (count) => {
  const media = { audio: { object_key: 'mem_1/talk.mp3', content_type: 'audio/mpeg' } };
  let signed = 0;
  const { api, errors } = setUp(
    {
      async *listMemories() {
        try {
          yield* rows.map((row) => ({ ...row, media }));
        } finally {
          // biome-ignore lint/correctness/noUnsafeFinally: it is what the test is about.
          throw new Error('The connection cannot be closed.');
        }
      },
      getMemory: async () => undefined,
    },
    () => {
      signed += 1;
      if (signed > count) throw new Error('No signer.');
      return 'https://media.example.com/a';
    },
  );
  const response = await api.fetch(request());
  await response.text().catch(() => {});
  expect(errors).toEqual([new Error('No signer.')]);
});

/** A store that waits before one row, like a slow statement, and then continues or fails. */
function createHeldStore(heldIndex: number, failure?: Error) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let given = 0;
  return {
    async *listMemories({ signal }: { signal?: AbortSignal | undefined }) {
      try {
        for (const [index, row] of rows.entries()) {
          if (index === heldIndex) {
            reached.resolve();
            await gate.promise;
            if (failure) throw failure;
          }
          signal?.throwIfAborted();
          given += 1;
          yield row;
        }
      } finally {
        ended.resolve();
      }
    },
    getMemory: async () => undefined,
    reached: reached.promise,
    goOn: gate.resolve,
    ended: ended.promise,
    given: () => given,
  };
}
