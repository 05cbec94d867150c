import type { MemoryRecord, Summary, Transcript } from '@memory-read/contract';
import type { MemoryStore } from './memory-store.ts';

/** The owner of memories and API keys. */
export interface Account {
  /** Id of the account, unique in the store. */
  userId: string;
  /** Name of the account. `null` if it has none. */
  name: string | null;
}

/** Port that fills a store. None of its methods can be reached over HTTP. */
export interface MemoryStoreAdmin {
  /**
   * Creates an account, or renames it. Without `name`, an existing account keeps its name.
   *
   * @throws {@link MemoryStoreError} with code `invalid_account` if the id or the name cannot be stored.
   */
  putAccount(account: { userId: string; name?: string | undefined }): Promise<void>;
  /** Returns the account, or `undefined` if no account has this id. */
  findAccount(userId: string): Promise<Account | undefined>;
  /**
   * Stores all of the records or none. Returns the number of records, including those with a repeated id.
   *
   * A record replaces the memory of the account with the same id. If several records have one id, the last one counts.
   * A new `started_at` moves the memory in lists in flight: see {@link MemoryStore.listMemories}.
   *
   * @throws {@link MemoryStoreError} with code `unknown_account` if there is no such account.
   * @throws {@link MemoryStoreError} with code `id_taken` if another account owns an id.
   * @throws {@link InvalidMemoryRecordError} if a record cannot be stored. See `toStoredMemory`.
   */
  putMemories(userId: string, records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>): Promise<number>;
  /**
   * Ends the processing of a memory (section 3 of the specification). Returns `false` if the account has no such
   * memory.
   *
   * @throws {@link InvalidMemoryRecordError} if transcript or summary cannot be stored.
   */
  finishProcessing(
    userId: string,
    memoryId: string,
    result: { transcript: Transcript | null; summary: Summary | null },
  ): Promise<boolean>;
  /** Deletes a memory. Returns `false` if the account has no such memory. */
  deleteMemory(userId: string, memoryId: string): Promise<boolean>;
}
