import type { StoredMemory } from '../ports/memory-store.ts';
import { compareMemories } from '../records/compare-memories.ts';
import { collect } from './expectations.ts';
import { memoryStoreAdminCases } from './memory-store-admin-cases.ts';
import { collectRecords, type Mistake, testMistakes } from './mistaken-store.test-support.ts';

const mistakes: Record<string, Mistake> = {
  'pages by offset': {
    make: (right) => ({
      async *listMemories({ userId }) {
        for (let offset = 0; ; offset += 100) {
          const all = await collect(right.listMemories({ userId }));
          yield* all.slice(offset, offset + 100);
          if (offset + 100 >= all.length) return;
        }
      },
    }),
    noticedBy: ['keeps a listing whole while memories are deleted', 'keeps a listing in order while memories are put'],
  },
  'pages that do not see a memory move': {
    make: (right) => ({
      async *listMemories({ userId }) {
        let page: StoredMemory[] = [];
        do {
          const last = page.at(-1);
          const all = await collect(right.listMemories({ userId }));
          page = all.filter((memory) => !last || compareMemories(last, memory) < 0).slice(0, 100);
          yield* page;
        } while (page.length > 0);
      },
    }),
    noticedBy: [
      'lists all or rejects while a memory further on gets a start before the reader',
      'lists nothing twice or rejects while a memory already listed gets a start further on',
    ],
  },
  'lists that are broken off by every replacement': {
    make: (right) => {
      let batchCount = 0;
      return {
        async putMemories(userId, records) {
          batchCount += 1;
          return right.putMemories(userId, records);
        },
        async *listMemories(query) {
          const before = batchCount;
          for await (const memory of right.listMemories(query)) {
            if (batchCount !== before) throw new Error('Try again');
            yield memory;
          }
        },
      };
    },
    noticedBy: ['keeps a listing in order while memories are put'],
  },
  'batches that are stored one record after the other': {
    make: (right) => ({
      async putMemories(userId, records) {
        let count = 0;
        for await (const record of records) count += await right.putMemories(userId, [record]);
        return count;
      },
    }),
    noticedBy: [
      ...['refuses an unknown account', 'refuses the id of another account and stores nothing of the batch'],
      'stores nothing of a batch with an invalid record',
      'stores nothing when the records end in an error, and works on',
      ...['shows nothing of a batch before all of it is there', 'puts several batches at once, each as a whole'],
    ],
  },
  'the first of several records with one id': {
    make: (right) => ({
      async putMemories(userId, records) {
        return right.putMemories(userId, (await collectRecords(records)).reverse());
      },
    }),
    noticedBy: ['counts the last of several records with one id'],
  },
  'own ids that are refused': {
    make: (right) => ({
      async putMemories(userId, records) {
        const all = await collectRecords(records);
        for (const { id } of all) if (await right.getMemory({ userId, memoryId: id })) throw new Error('duplicate key');
        return right.putMemories(userId, all);
      },
    }),
    noticedBy: ['replaces all of a memory that the account already has'],
  },
  "another account's id that is taken over": {
    make: (right) => {
      const owners = new Map<string, string>();
      return {
        async putMemories(userId, records) {
          const all = await collectRecords(records);
          for (const { id } of all) {
            const owner = owners.get(id) ?? userId;
            if (owner !== userId) await right.deleteMemory(owner, id);
            owners.set(id, userId);
          }
          return right.putMemories(userId, all);
        },
      };
    },
    noticedBy: ['refuses the id of another account and stores nothing of the batch'],
  },
  'unknown accounts that are made on the way': {
    make: (right) => ({
      async putMemories(userId, records) {
        await right.putAccount({ userId });
        return right.putMemories(userId, records);
      },
    }),
    noticedBy: ['refuses an unknown account'],
  },
  'account names that are lost': {
    make: (right) => ({ putAccount: ({ userId, name = '' }) => right.putAccount({ userId, name }) }),
    noticedBy: ['makes an account, renames it, and keeps its name where none is given'],
  },
  'processing that ends nowhere': {
    make: (right) => ({
      finishProcessing: async (userId, memoryId) => (await right.getMemory({ userId, memoryId })) !== undefined,
    }),
    noticedBy: [
      'finishes the processing of a memory, in its list too',
      'finishes a recording in which nobody speaks',
      'keeps the segments of a finished memory in order and in UTC',
    ],
  },
  'deletion that tells nothing': {
    make: (right) => ({
      deleteMemory: async (userId, memoryId) => (await right.deleteMemory(userId, memoryId)) || true,
    }),
    noticedBy: ['deletes a memory of the account, once', 'deletes no unknown memory and none of another account'],
  },
};

testMistakes(mistakes, memoryStoreAdminCases);
