/** What a hit is part of. */
export type HitKind = 'name' | 'summary' | 'takeaway' | 'transcript';

/** Options of `search`. */
export interface SearchOptions {
  /** Earliest start of a memory. Default: without a limit. */
  since?: Date | string | undefined;
  /** Start before which a memory has to begin. Default: without a limit. */
  until?: Date | string | undefined;
  /** Whole label of a speaker, such as `Speaker 1`. Case and accents are ignored. Default: all. */
  speaker?: string | undefined;
  /** What to search in. Default: everything. */
  kind?: HitKind | readonly HitKind[] | undefined;
  /** Maximum number of hits, 1 to 200. Default: 20. */
  limit?: number | undefined;
  /** The `cursor` of the page before. Default: the first page. */
  cursor?: string | undefined;
}

/** A page of hits. */
export interface SearchPage {
  /** Newest memory first. */
  hits: SearchHit[];
  /** Passed as an option, it continues the search; null on the last page. */
  cursor: string | null;
}

/** A text that has all words of a search. */
export interface SearchHit {
  memoryId: string;
  name: string;
  /** Start of the memory, as the server wrote it. */
  startedAt: string;
  /** When a list lacked the memory for the first time; null if the last list had it. */
  missingSince: Date | null;
  /** Version that has the words. */
  version: number;
  /** Whether there is a newer version, without words. */
  isOutdated: boolean;
  kind: HitKind;
  /** Label of the speaker; null if the hit is not of the transcript. */
  speaker: string | null;
  /** Indexes into `transcript.segments` of that version, both included; null if the hit is not of the transcript. */
  segments: { first: number; last: number } | null;
  /** Milliseconds from the start of the memory to the first of the segments, at least 0; null without segments. */
  offset: number | null;
  /** At most 500 UTF-16 units around the words, and where they are in it: UTF-16 offsets, the end excluded. */
  snippet: { text: string; highlights: [start: number, end: number][] };
}
