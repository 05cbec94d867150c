import type { ApiKeyStore } from '../../ports/api-key-store.ts';
import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import type { Account, MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { assertAccount } from '../../records/assert-account.ts';
import { compareMemories } from '../../records/compare-memories.ts';
import { idTakenError, unknownAccountError } from '../../records/memory-store-error.ts';
import { toProcessedFields } from '../../records/to-processed-fields.ts';
import { toStoredMemory } from '../../records/to-stored-memory.ts';
import { createInMemoryApiKeys } from './in-memory-api-keys.ts';

interface AccountState {
  account: Account;
  memories: Map<string, StoredMemory>;
  /** The sorted list, created by the first read. It is never changed, so that a slow reader can use it. */
  sorted?: readonly StoredMemory[] | undefined;
}

/**
 * Creates a store in memory, for tests, mocks and demonstrations. Its content is lost when the process ends.
 *
 * @example
 * ```ts
 * const store = createInMemoryStore();
 * await store.putAccount({ userId: 'user_1' });
 * await store.putMemories('user_1', records);
 * ```
 */
export function createInMemoryStore(): MemoryStore & MemoryStoreAdmin & ApiKeyStore {
  const accounts = new Map<string, AccountState>();
  const owners = new Map<string, string>();
  return {
    ...createReader(accounts),
    ...createAdmin(accounts, owners),
    ...createInMemoryApiKeys((userId) => accounts.has(userId)),
  };
}

function createReader(accounts: Map<string, AccountState>): MemoryStore {
  return {
    async *listMemories({ userId, signal }) {
      signal?.throwIfAborted();
      const state = accounts.get(userId);
      if (!state) return;
      for (const memory of sortedMemories(state)) {
        signal?.throwIfAborted();
        yield withoutTranscript(memory);
      }
    },
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      return accounts.get(userId)?.memories.get(memoryId);
    },
  };
}

function createAdmin(accounts: Map<string, AccountState>, owners: Map<string, string>): MemoryStoreAdmin {
  return {
    async putAccount(account) {
      assertAccount(account);
      const { userId, name } = account;
      const state = accounts.get(userId) ?? { account: { userId, name: null }, memories: new Map() };
      state.account = { userId, name: name ?? state.account.name };
      accounts.set(userId, state);
    },
    async findAccount(userId) {
      const state = accounts.get(userId);
      return state && { ...state.account };
    },
    async putMemories(userId, records) {
      const state = accounts.get(userId);
      if (!state) throw unknownAccountError(userId);
      const batch: StoredMemory[] = [];
      for await (const record of records) batch.push(freeze(toStoredMemory(userId, record)));
      for (const { id } of batch) if ((owners.get(id) ?? userId) !== userId) throw idTakenError(id);

      for (const memory of batch) {
        owners.set(memory.id, userId);
        putMemory(state, memory);
      }
      return batch.length;
    },
    async finishProcessing(userId, memoryId, result) {
      const fields = toProcessedFields(memoryId, result);
      const state = accounts.get(userId);
      const memory = state?.memories.get(memoryId);
      if (!state || !memory) return false;
      putMemory(state, freeze({ ...memory, ...fields }));
      return true;
    },
    async deleteMemory(userId, memoryId) {
      const state = accounts.get(userId);
      if (!state?.memories.delete(memoryId)) return false;
      state.sorted = undefined;
      owners.delete(memoryId);
      return true;
    },
  };
}

function sortedMemories(state: AccountState): readonly StoredMemory[] {
  state.sorted ??= [...state.memories.values()].sort(compareMemories);
  return state.sorted;
}

function putMemory(state: AccountState, memory: StoredMemory): void {
  state.memories.set(memory.id, memory);
  state.sorted = undefined;
}

function withoutTranscript({ transcriptJson: _, ...memory }: StoredMemory): StoredMemory {
  return memory;
}

/** Freezes what the store returns, because callers share it with the store. */
function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
