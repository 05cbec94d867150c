import type { MemoryRecord, Summary, Transcript } from '@memory-read/contract';

/** The owner of memories and keys. */
export interface Account {
  userId: string;
  name: string | null;
}

/** What fills a store. Nothing of it can be reached over HTTP. */
export interface MemoryStoreAdmin {
  /**
   * Makes an account, or renames it; without a name, an existing one keeps its own.
   *
   * @throws MemoryStoreError `invalid_account` when the id or the name cannot be stored.
   */
  putAccount(account: { userId: string; name?: string | undefined }): Promise<void>;
  /** The account, or `undefined` where there is none with this id. */
  findAccount(userId: string): Promise<Account | undefined>;
  /**
   * Stores all of the records or none, and tells how many records came, including those whose id came again.
   *
   * A record whose id the account already has replaces that memory. Of several records with one id the last counts.
   * With another `started_at`, the memory changes its place in the lists under way: see `MemoryStore.listMemories`.
   *
   * @throws MemoryStoreError `unknown_account`; `id_taken` when another account owns an id.
   * @throws InvalidMemoryRecordError when `toStoredMemory` refuses a record.
   */
  putMemories(userId: string, records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>): Promise<number>;
  /**
   * Ends the processing of a memory (section 3 of the specification); `false` when the account has no such memory.
   *
   * @throws InvalidMemoryRecordError when transcript or summary cannot be stored.
   */
  finishProcessing(
    userId: string,
    memoryId: string,
    result: { transcript: Transcript | null; summary: Summary | null },
  ): Promise<boolean>;
  /** `false` when the account has no such memory. */
  deleteMemory(userId: string, memoryId: string): Promise<boolean>;
}
