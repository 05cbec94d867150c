import type { MemoryStore } from '../ports/memory-store.ts';
import { collect, expectEqual, expectRejection } from './expectations.ts';
import type { StoreRules } from './store-case.ts';
import { createManyRecords, createRecord, expectedListed, readable } from './test-records.ts';

export const listingRules: StoreRules<MemoryStore> = {
  async 'lists the memories of an account newest first'({ store, seed }) {
    await seed('ada', [
      createRecord({ id: 'middle', started_at: '2026-02-01T00:00:00Z' }),
      createRecord({ id: 'oldest', started_at: '2025-12-31T23:59:59.999Z' }),
      createRecord({ id: 'newest', started_at: '2026-02-01T00:00:00.001Z' }),
    ]);
    expectEqual(await listIds(store), ['newest', 'middle', 'oldest'], 'The list is not newest first');
  },

  async 'orders by the instant of the start, however it was spelled'({ store, seed }) {
    await seed('ada', [
      createRecord({ id: 'a-third', started_at: '2026-02-01T12:00:00+02:00' }),
      createRecord({ id: 'b-first', started_at: '2026-02-01T08:30:00-05:00' }),
      createRecord({ id: 'c-second', started_at: '2026-02-01T10:00' }),
      createRecord({ id: 'd-fourth', started_at: '2026-02-01T09:59:59.9999999Z' }),
    ]);
    const expected = ['b-first', 'c-second', 'a-third', 'd-fourth'];
    expectEqual(await listIds(store), expected, 'The list is ordered by text, not by instant');
  },

  async 'orders memories of the same instant by id, descending by UTF-8 bytes'({ store, seed }) {
    const descending = ['😀b', '😀', '\ufffd', 'ﬁ', 'é', 'z', 'ab', 'a', 'Z', '10', '1'];
    await seed(
      'ada',
      [...descending].sort().map((id) => createRecord({ id })),
    );
    expectEqual(await listIds(store), descending, 'Ids of the same instant are not in descending order of UTF-8 bytes');
  },

  async 'orders the years 0000 to 9999'({ store, seed }) {
    await seed('ada', [
      createRecord({ id: 'year 50', started_at: '0050-06-01T00:00:00Z' }),
      createRecord({ id: 'last', started_at: '9999-12-31T23:59:59.999Z' }),
      createRecord({ id: 'first', started_at: '0000-01-01T00:00:00Z' }),
      createRecord({ id: 'year 1970', started_at: '1970-01-01T00:00:00Z' }),
    ]);
    const expected = ['last', 'year 1970', 'year 50', 'first'];
    expectEqual(await listIds(store), expected, 'The years 0000 to 9999 are not listed newest first');
  },

  async 'lists every field but the transcript'({ store, seed }) {
    const record = createRecord({ id: 'one' });
    await seed('ada', [record]);
    const [memory, ...others] = await collect(store.listMemories({ userId: 'ada' }));
    expectEqual(others, [], 'More is listed than there is');
    expectEqual(memory?.transcriptJson ?? null, null, 'A transcript is read for a list');
    expectEqual(memory && readable(memory), expectedListed('ada', record), 'A listed memory is not what was stored');
  },

  async 'lists nothing for an account without memories and for one that does not exist'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one' })]);
    await seed('empty', []);
    expectEqual(await listIds(store, 'empty'), [], 'An account without memories lists some');
    expectEqual(await listIds(store, 'nobody'), [], 'An account that does not exist lists memories');
  },

  async 'lists no memory of another account'({ store, seed }) {
    const accounts = ['ada', 'Ada', 'ada ', 'ad_', '%', "a' OR '1'='1"];
    for (const userId of accounts) await seed(userId, [createRecord({ id: `of ${userId}` })]);
    for (const userId of accounts) {
      expectEqual(await listIds(store, userId), [`of ${userId}`], `Account ${userId} does not list exactly its own`);
    }
  },

  async 'lists 2,500 memories, each once and in order'({ store, seed }) {
    const records = createManyRecords();
    await seed('other', [createRecord({ id: 'of another account' })]);
    await seed('ada', [...records].reverse());
    const expected = records.map(({ id }) => id);
    expectFullList(await listIds(store), expected);
  },

  async 'serves readers that leave early, and several at once'({ store, seed }) {
    const expected = ['c', 'b', 'a'];
    await seed(
      'ada',
      expected.map((id) => createRecord({ id })),
    );
    for await (const memory of store.listMemories({ userId: 'ada' })) {
      expectEqual(await listIds(store), expected, `A second reader is disturbed by one that is at ${memory.id}`);
      break;
    }
    expectEqual(await listIds(store), expected, 'The store does not list after a reader left early');
    await seed('ada', [createRecord({ id: 'd' })]);
    expectEqual(await listIds(store), ['d', ...expected], 'The store cannot be written after a reader left early');
  },

  async 'rejects a listing with the reason of its signal'({ store, seed }) {
    await seed('ada', createManyRecords(600));
    const reason = new Error('The caller went away');
    const aborted = store.listMemories({ userId: 'ada', signal: AbortSignal.abort(reason) });
    const error = await expectRejection(collect(aborted), 'A listing whose signal is aborted does not reject');
    expectEqual(error === reason, true, 'An aborted listing does not reject with the reason of its signal');

    const controller = new AbortController();
    const running = collectUntilAbort(store.listMemories({ userId: 'ada', signal: controller.signal }), controller);
    await expectRejection(running, 'A listing whose signal is aborted on the way runs to its end');
  },

  async 'is not changed by what a caller does to a listed memory'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'one', media: { audio: { object_key: 'a', content_type: 'audio/wav' } } })]);
    for await (const memory of store.listMemories({ userId: 'ada' })) {
      attempt(() => Object.assign(memory, { name: 'Corrupted' }));
      attempt(() => Object.assign(memory.media.audio ?? {}, { object_key: 'corrupted' }));
    }
    const [memory] = await collect(store.listMemories({ userId: 'ada' }));
    const seen = [memory?.name, memory?.media.audio?.object_key];
    expectEqual(seen, ['Memory one', 'a'], 'A caller can change the store through a listed memory');
  },
};

/** Reports the first difference, because a long list is hard to read. */
export function expectFullList(actual: readonly string[], expected: readonly string[]): void {
  expectEqual(new Set(actual).size, actual.length, 'The number of different memories in a long list is wrong');
  const position = expected.findIndex((id, index) => actual[index] !== id);
  expectEqual(actual[position], expected[position], `A long list is wrong from position ${position} on`);
  expectEqual(actual.length, expected.length, 'A long list has the wrong length');
}

export async function listIds(store: MemoryStore, userId = 'ada'): Promise<string[]> {
  const memories = await collect(store.listMemories({ userId }));
  return memories.map(({ id }) => id);
}

async function collectUntilAbort(values: AsyncIterable<unknown>, controller: AbortController): Promise<number> {
  let count = 0;
  for await (const _ of values) {
    count += 1;
    controller.abort();
  }
  return count;
}

function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // A store may return a frozen result instead of a copy.
  }
}
