import { expect, test } from 'vitest';
import { createInMemoryStore } from '../adapters/in-memory/create-in-memory-store.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import { expectEqual } from './expectations.ts';
import { memoryStoreCases } from './memory-store-cases.ts';
import {
  changedList,
  collectRecords,
  type Mistake,
  testMistakes,
  withChangedMemory,
} from './mistaken-store.test-support.ts';

const mistakes: Record<string, Mistake> = {
  'a list in no order': {
    make: (right) => ({ listMemories: (query) => changedList(right, query, (memories) => memories.reverse()) }),
    noticedBy: ['lists the memories of an account newest first', 'lists 2,500 memories, each once and in order'],
  },
  'ids ordered as UTF-16 units': {
    make: (right) => ({
      listMemories: (query) =>
        changedList(right, query, (memories) => memories.sort((a, b) => byStart(a, b) || descending(a.id, b.id))),
    }),
    noticedBy: ['orders memories of the same instant by id, descending by UTF-8 bytes'],
  },
  'ids ascending': {
    make: (right) => ({
      listMemories: (query) =>
        changedList(right, query, (memories) => memories.sort((a, b) => byStart(a, b) || descending(b.id, a.id))),
    }),
    noticedBy: ['orders memories of the same instant by id, descending by UTF-8 bytes'],
  },
  'date-times as they were spelled': {
    make: (right) => {
      const spelled = new Map<string, string>();
      return {
        async putMemories(userId, records) {
          const all = await collectRecords(records);
          for (const { id, started_at } of all) spelled.set(id, started_at);
          return right.putMemories(userId, all);
        },
        listMemories: (query) =>
          changedList(right, query, (memories) =>
            memories
              .map((memory) => ({ ...memory, started_at: spelled.get(memory.id) ?? memory.started_at }))
              .sort(byStart),
          ),
      };
    },
    noticedBy: ['orders by the instant of the start, however it was spelled'],
  },
  'only the first page': {
    make: (right) => ({ listMemories: (query) => changedList(right, query, (memories) => memories.slice(0, 1000)) }),
    noticedBy: ['lists 2,500 memories, each once and in order'],
  },
  'pages that continue behind the start alone': {
    make: (right) => ({ listMemories: (query) => changedList(right, query, withoutNeighboursAcrossPages) }),
    noticedBy: ['lists 2,500 memories, each once and in order'],
  },
  'transcripts in lists': {
    make: (right) => ({
      async *listMemories(query) {
        for await (const { id } of right.listMemories(query)) {
          yield (await right.getMemory({ userId: query.userId, memoryId: id })) as StoredMemory;
        }
      },
    }),
    noticedBy: ['lists every field but the transcript'],
  },
  'no summaries in lists': {
    make: (right) => ({
      listMemories: (query) =>
        changedList(right, query, (memories) => memories.map((memory) => ({ ...memory, summaryJson: null }))),
    }),
    noticedBy: ['lists every field but the transcript'],
  },
  'lists that cross accounts': {
    make: (right) => ({
      listMemories: ({ userId, ...query }) => right.listMemories({ ...query, userId: userId.trim() }),
    }),
    noticedBy: ['lists no memory of another account'],
  },
  'reads that cross accounts': {
    make: (right) => {
      const accounts: string[] = [];
      return {
        async putAccount(account) {
          accounts.push(account.userId);
          await right.putAccount(account);
        },
        async getMemory({ memoryId }) {
          const found = await Promise.all(accounts.map((userId) => right.getMemory({ userId, memoryId })));
          return found.find((memory) => memory !== undefined);
        },
      };
    },
    noticedBy: ['gets no memory of another account'],
  },
  'ids that are compared without case': {
    make: (right) => ({
      async getMemory(query) {
        return (await right.getMemory(query)) ?? right.getMemory({ ...query, memoryId: query.memoryId.toLowerCase() });
      },
    }),
    noticedBy: ['finds nothing under an id that only resembles a stored one'],
  },
  'text that is cut at NUL': {
    make: (right) => withChangedMemory(right, (memory) => ({ ...memory, transcriptJson: cut(memory.transcriptJson) })),
    noticedBy: ['keeps any JSON text in transcript and summary'],
  },
  'lone surrogates that are replaced': {
    make: (right) =>
      withChangedMemory(right, (memory) => ({
        ...memory,
        summaryJson: memory.summaryJson?.replace(/\\ud[89a-f]../g, '\ufffd') ?? null,
      })),
    noticedBy: ['keeps any JSON text in transcript and summary'],
  },
  'durations of 32 bits': {
    make: (right) =>
      withChangedMemory(right, (memory) => ({ ...memory, duration_seconds: memory.duration_seconds | 0 })),
    noticedBy: ['keeps every safe integer from zero on as duration'],
  },
  'media that lose their type': {
    make: (right) => withChangedMemory(right, (memory) => ({ ...memory, media: {} })),
    noticedBy: ['keeps every kind of media, and none'],
  },
  'signals that are ignored': {
    make: (right) => ({
      listMemories: ({ userId }) => right.listMemories({ userId }),
      getMemory: ({ userId, memoryId }) => right.getMemory({ userId, memoryId }),
    }),
    noticedBy: ['rejects a listing with the reason of its signal', 'rejects a read with the reason of its signal'],
  },
  'a reader that locks writers out until it is done': {
    make: (right) => {
      let readers = 0;
      return {
        async *listMemories(query) {
          readers += 1;
          yield* right.listMemories(query);
          readers -= 1;
        },
        async putAccount(account) {
          if (readers > 0) throw new Error('database is locked');
          await right.putAccount(account);
        },
      };
    },
    noticedBy: ['serves readers that leave early, and several at once'],
  },
  'one object for every caller': {
    make: (right) => {
      const rows = new Map<string, StoredMemory>();
      return {
        listMemories: (query) =>
          changedList(right, query, (memories) =>
            memories.map((memory) => rows.get(memory.id) ?? remember(rows, memory)),
          ),
      };
    },
    noticedBy: ['is not changed by what a caller does to a listed memory'],
  },
};

testMistakes(mistakes, memoryStoreCases);

test('a failing case describes the problem in a sentence, and closes its store', async () => {
  let closed = 0;
  const cases = memoryStoreCases(async () => ({
    store: { ...createInMemoryStore(), getMemory: async () => undefined },
    seed: async () => {},
    async close() {
      closed += 1;
    },
  }));
  const gets = cases.find(({ title }) => title === 'gets a memory with its transcript and summary');
  await expect(gets?.run()).rejects.toThrow(
    /^A memory is not read as it was stored: expected \{"duration_seconds":1800,.*, but got undefined\.$/,
  );
  expect(closed).toBe(1);
});

test('shows a long difference from where it begins', () => {
  const long = 'same '.repeat(1_000);
  expect(() => expectEqual(`${long}left`, `${long}right`, 'They differ')).toThrow(
    /^They differ: expected ….{0,60}same right", but got ….{0,60}same left"\.$/,
  );
});

test('a case creates its store only when it runs, and titles are unique', () => {
  const titles = memoryStoreCases(() => expect.unreachable()).map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(20);
  expect(new Set(titles).size).toBe(titles.length);
});

function withoutNeighboursAcrossPages(memories: StoredMemory[]): StoredMemory[] {
  return memories.filter((memory, index) => index < 1000 || memory.started_at !== memories[999]?.started_at);
}

function remember(rows: Map<string, StoredMemory>, memory: StoredMemory): StoredMemory {
  const row = { ...memory };
  rows.set(memory.id, row);
  return row;
}

const byStart = (a: StoredMemory, b: StoredMemory) => descending(a.started_at, b.started_at);

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

function cut(json: StoredMemory['transcriptJson']): StoredMemory['transcriptJson'] {
  return json?.toString().replace(/\\u0000.*?"/, '"');
}
