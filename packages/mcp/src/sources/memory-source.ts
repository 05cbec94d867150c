import type { Memory } from '@memory-read/client';
import type { Question } from '../search/searched-memory.ts';

/** A memory and the time of its response. */
export interface ReadMemory {
  /** The memory, with its transcript. */
  memory: Memory;
  /** When it was read. Receipts name this time. */
  readAt: Date;
}

/** A memory that a search found. */
export interface SearchHit extends ReadMemory {
  /** Index of the best segment. It is undefined if only title and summary have the words. */
  segment: number | undefined;
  /** Higher is better. */
  score: number;
}

/** How much a search has covered. */
export interface Coverage {
  /** Whether every memory was searched. Absent if the counts say so. */
  complete?: true;
  /** Memories of the account in the range. */
  memories?: number;
  /** Transcripts that were searched for this page. */
  transcripts_read?: number;
  /** Memories whose transcript is still to be searched. */
  memories_left?: number;
  /** Memories that could not be searched, because their response was invalid. */
  unreadable?: number;
  /** Why the search stopped before it was complete. Absent if the page is full. */
  stopped?: 'budget' | 'time' | 'rate_limited' | 'unavailable';
}

/** A place in a list or a search. It is JSON, and only its source reads it. */
export type Position = readonly (string | number | null)[];

/** Options of a page of a source. */
export interface PageOptions {
  /** Where the page before ended. Default: the beginning. */
  after: Position | undefined;
  /** Aborted if the caller no longer wants the page. */
  signal: AbortSignal;
}

/** Options of a search. */
export interface SourceSearchOptions extends PageOptions {
  /** Takes a hit into the page, and returns whether it fitted. A search stops before a hit that did not. */
  take: (hit: SearchHit) => boolean;
}

/** Options of a list. */
export interface SourceListOptions extends PageOptions {
  /** Earliest start of a memory, in milliseconds since 1970. */
  since: number;
  /** Start before which a memory has to begin, in milliseconds since 1970. */
  until: number;
  /** Maximum number of memories of the page. */
  limit: number;
}

/** Where the tools read memories: the port between tools and adapters. */
export interface MemorySource {
  /** Searches the memories, newest first, and passes on the hits. `next` is undefined at the end. */
  search(question: Question, options: SourceSearchOptions): Promise<{ coverage: Coverage; next: Position | undefined }>;
  /** Reads a memory afresh. It is undefined if it does not exist. */
  getMemory(id: string, options: { signal: AbortSignal }): Promise<ReadMemory | undefined>;
  /** Reads the version of a memory that was seen by an instant. Absent where no history is kept. */
  getVersion?(id: string, asOf: Date, options: { signal: AbortSignal }): Promise<ReadMemory | undefined>;
  /** Returns a page of the memories, newest first and without transcripts. */
  listMemories(
    options: SourceListOptions,
  ): Promise<{ memories: Memory[]; next: Position | undefined; total: number | undefined }>;
}
