import type { Memory } from '@memory-read/client';
import type { MemoryHit, Query, SearchMiss } from '@memory-read/client/search';

/** A memory, and the names of its speakers. */
export interface NamedMemory {
  /** The memory, with the labels of the API. */
  memory: Memory;
  /** Name of each speaker who has one, by label as stored. The order is that of first speech if it is known. Default: none. */
  names?: ReadonlyMap<string, string> | undefined;
  /** The one of these names that is the user's. Default: none is. */
  me?: string | undefined;
}

/** A memory with its transcript, and the time of its response. */
export interface ReadMemory extends NamedMemory {
  /** Time at which it was read. Receipts have this time. */
  readAt: Date;
}

/** A question to a search. */
export interface Question {
  /** The query as asked. A source with an index passes it on. */
  text: string;
  /** The parsed query, with the speaker. */
  query: Query;
  /** Label or name of the speaker whose words count, as asked. Default: all texts. */
  speaker?: string | undefined;
  /** Earliest start of a memory, in milliseconds since 1970. */
  since: number;
  /** Time before which a memory must start, in milliseconds since 1970. */
  until: number;
}

/** A memory that a search found. */
export interface SearchHit extends ReadMemory {
  /** Where the words are. */
  hit: MemoryHit;
}

/** Why a search found nothing. */
export interface SourceMiss extends Omit<SearchMiss, 'nearest'> {
  /** At most 3 memories with most of the words, and the words that each does not have. */
  nearest: (SearchHit & { missing: string[] })[];
  /** Names of people of the newest memories, if the query has a speaker that is in no memory. Default: none. */
  people?: readonly string[] | undefined;
}

/** Coverage of a search. */
export interface Coverage {
  /**
   * Whether every memory was searched. Absent if there are counts instead. False if the account can have more memories,
   * because a copy of the list does not show whether invalid ones were left out.
   */
  complete?: boolean;
  /** Memories of the account in the range. Absent if it can have more. */
  memories?: number;
  /** Transcripts that were searched for this page. */
  transcripts_read?: number;
  /** Memories whose transcript has not been searched yet. */
  memories_left?: number;
  /** Memories that could not be searched: the response was invalid, or two reads in a row failed. */
  unreadable?: number;
  /** Reason why the search stopped before it was complete. Absent if the page is full. */
  stopped?: 'budget' | 'time' | 'rate_limited' | 'unavailable';
}

/** A position in a list or a search. It is JSON, and only its source reads it. */
export type Position = readonly (string | number | null)[];

/** Options of a page of a source. */
export interface PageOptions {
  /** End of the previous page. Default: the beginning. */
  after: Position | undefined;
  /** Aborted if the caller no longer wants the page. */
  signal: AbortSignal;
}

/** Options of a search. */
export interface SourceSearchOptions extends PageOptions {
  /** Adds a hit to the page, and returns whether it fits. The search stops before a hit that does not fit. */
  take: (hit: SearchHit) => boolean;
}

/** Options of a list. */
export interface SourceListOptions extends PageOptions {
  /** Earliest start of a memory, in milliseconds since 1970. */
  since: number;
  /** Time before which a memory must start, in milliseconds since 1970. */
  until: number;
  /** Maximum number of memories of the page. */
  limit: number;
}

/** Source of the memories: the port between tools and adapters. */
export interface MemorySource {
  /**
   * Searches the memories, and passes on one hit of each. `next` is undefined at the end. `miss` is there if all was
   * searched and no page had a hit.
   */
  search(
    question: Question,
    options: SourceSearchOptions,
  ): Promise<{ coverage: Coverage; next: Position | undefined; miss?: SourceMiss | undefined }>;
  /** Reads a memory, not from a cache; undefined if it does not exist. */
  getMemory(id: string, options: { signal: AbortSignal }): Promise<ReadMemory | undefined>;
  /** Reads the newest version of a memory that was read by an instant. Absent for a source without a history. */
  getVersion?(id: string, asOf: Date, options: { signal: AbortSignal }): Promise<ReadMemory | undefined>;
  /**
   * Returns a page of the memories, newest first and without transcripts. `unreadable` counts the invalid memories,
   * which are on no page. It is undefined if they are unknown, and so is `total`.
   */
  listMemories(options: SourceListOptions): Promise<{
    memories: NamedMemory[];
    next: Position | undefined;
    total: number | undefined;
    unreadable?: number | undefined;
  }>;
}
