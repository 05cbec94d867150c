import type { MemoryRecord } from '@memory-read/contract';

/**
 * A memory as a store holds it: checked, its times in UTC with milliseconds, transcript and summary as JSON text.
 *
 * `toStoredMemory` returns one. The server copies the text into the response and never parses it.
 */
export interface StoredMemory extends Omit<MemoryRecord, 'summary' | 'transcript'> {
  /** Account that owns the memory. */
  user_id: string;
  /** JSON text of the summary. `null` if the memory has none. */
  summaryJson: string | null;
  /**
   * JSON text of the transcript, or its UTF-8, which saves encoding a long one for each response. Absent in a list. The
   * bytes are shared, so do not change them.
   */
  transcriptJson?: string | Uint8Array<ArrayBuffer> | null | undefined;
}

/** Port that memories are read from. Every call names the account, so that no memory leaks into another account. */
export interface MemoryStore {
  /**
   * Yields the memories of an account without their transcripts, newest `started_at` first. Memories with the same
   * start are ordered by id, descending by UTF-8 bytes. See section 4.1.2 of the specification.
   *
   * A reader may be slow or stop early. Do not hold a cursor or a snapshot between two memories.
   *
   * A list must be complete or fail: each memory that exists throughout comes exactly once, or the iterator rejects.
   * Writes during the list must not change that. If you read pages that continue after the last memory, added and
   * deleted memories do no harm. A memory whose `started_at` changes can be missed or repeated. Count such changes per
   * account, in the transaction that makes them. Reject if the count after a page differs from the count before the
   * first one.
   *
   * @throws {@link MemoryStoreError} with code `memories_moved` if the list cannot be continued. The caller can list
   * again at once.
   */
  listMemories(query: { userId: string; signal?: AbortSignal | undefined }): AsyncIterable<StoredMemory>;
  /** Returns a memory with its transcript, or `undefined` if the account has no such memory. */
  getMemory(query: {
    userId: string;
    memoryId: string;
    signal?: AbortSignal | undefined;
  }): Promise<StoredMemory | undefined>;
}
