import type { RangeOptions } from '../options/check-options.ts';

/** Part of a memory that a hit is in. */
export type HitKind = 'name' | 'summary' | 'takeaway' | 'transcript';

/** Options of `search`. */
export interface SearchOptions extends RangeOptions {
  /** Complete label of a speaker, such as `Speaker 1`. Case and accents are ignored. Default: all speakers. */
  speaker?: string | undefined;
  /** Kinds of hits to return. Default: all kinds. */
  kind?: HitKind | readonly HitKind[] | undefined;
  /** Maximum number of hits, 1 to 200. Default: 20. */
  limit?: number | undefined;
  /** The `cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined;
}

/** A page of hits. */
export interface SearchPage {
  /** Hits, newest memory first. */
  hits: SearchHit[];
  /** Cursor of the next page; null on the last page. */
  cursor: string | null;
}

/** A text that contains all words of a search. */
export interface SearchHit {
  memoryId: string;
  name: string;
  /** Start of the memory, as the server wrote it. */
  startedAt: string;
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
  /** Version that contains the words. */
  version: number;
  /** Whether there is a newer version, which has no words. */
  isOutdated: boolean;
  kind: HitKind;
  /** Label of the speaker; null if the hit is not in the transcript. */
  speaker: string | null;
  /** Indexes into `transcript.segments` of that version, both included; null if the hit is not in the transcript. */
  segments: { first: number; last: number } | null;
  /** Milliseconds from the start of the memory to the first of these segments, at least 0; null without segments. */
  offset: number | null;
  /**
   * At most 500 UTF-16 units of the text around the words. `highlights` are the UTF-16 offsets of the words in it; the
   * end is excluded.
   */
  snippet: { text: string; highlights: [start: number, end: number][] };
}
