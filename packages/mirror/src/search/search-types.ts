import type { HitKind, MemoryHit, SearchMiss } from '@memory-read/client/search';
import type { RangeOptions } from '../options/check-options.ts';

/** Options of `search`. */
export interface SearchOptions extends RangeOptions {
  /**
   * Whole label of a speaker, whole name, or words of a name next to each other if no person has them as the whole name.
   * Case and accents are ignored. Default: all speakers.
   */
  speaker?: string | undefined;
  /** Kinds of texts to search. Default: all kinds. */
  kind?: HitKind | readonly HitKind[] | undefined;
  /** Maximum number of hits, 1 to 200. Default: 20. */
  limit?: number | undefined;
  /** Maximum number of hits of a memory, 1 to 200. Default: all. */
  perMemory?: number | undefined;
  /** The `cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined;
}

/** A text in which a search found words. */
export interface SearchHit extends MemoryHit {
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
  /** Version that contains the words. */
  version: number;
  /** Whether there is a newer version, which has no words. */
  isOutdated: boolean;
}

/** A page of hits. */
export interface SearchPage {
  /** Hits: first the memories with all words in one text, then those with the words apart, each newest first. */
  hits: SearchHit[];
  /** Cursor of the next page; null on the last page. */
  cursor: string | null;
  /** Why the search found nothing; null with a hit, on a later page, and for a query without a word and a speaker. */
  miss: (Omit<SearchMiss, 'nearest'> & { nearest: (SearchHit & { missing: string[] })[] }) | null;
}
