import type { MemoryRecord } from '@memory-read/contract';

/**
 * A memory as a store holds it: checked, its times in UTC milliseconds, transcript and summary as JSON text.
 *
 * The text is spliced into the response as it stands, so a transcript is never parsed to be read. Make one with
 * `toStoredMemory`.
 */
export interface StoredMemory extends Omit<MemoryRecord, 'summary' | 'transcript'> {
  user_id: string;
  summaryJson: string | null;
  /** Absent where it was not asked for, as in a list. */
  transcriptJson?: string | null | undefined;
}

/** Where memories are read from. Every read names the account, so that none can cross into another one. */
export interface MemoryStore {
  /**
   * The memories of an account without their transcripts: by the instant of `started_at`, newest first, then by id,
   * descending by UTF-8 bytes (section 4.1.2 of the specification).
   *
   * A reader may be slow, or leave early: hold no cursor and no snapshot while it is away.
   *
   * A list never looks whole when it is not: each memory that existed throughout comes once, whatever is written
   * meanwhile, or the iterator rejects, which breaks the response off. Memories that come or go do no harm to pages that
   * continue behind the last memory read; one whose `started_at` changes can be missed, or come twice. So a store that
   * reads pages counts such changes per account in the transaction that makes them, and compares the count behind
   * every page with the one before the first.
   *
   * @throws MemoryStoreError `memories_moved` where a store cannot go on with the list; a new one can be had at once.
   */
  listMemories(query: { userId: string; signal?: AbortSignal | undefined }): AsyncIterable<StoredMemory>;
  /** One memory of the account with its transcript, or `undefined`, also when it belongs to another account. */
  getMemory(query: {
    userId: string;
    memoryId: string;
    signal?: AbortSignal | undefined;
  }): Promise<StoredMemory | undefined>;
}
