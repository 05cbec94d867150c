import type { Memory } from '@memory-read/contract';
import type { SpeakerNames } from '../transcript/speaker-names.ts';

/** Part of a memory that a hit is in. */
export type HitKind = 'name' | 'summary' | 'takeaway' | 'transcript';

/** All kinds, in the order of the hits of a memory. */
export const hitKinds: readonly HitKind[] = ['name', 'summary', 'takeaway', 'transcript'];

/** The fields of a memory that a search reads, and the names of its speakers. */
export type SearchSource = Pick<Memory, 'id' | 'name' | 'started_at' | 'summary' | 'transcript'> & {
  /** Names by speaker label, as stored. A name is found as a speaker, but not as a word. Default: none. */
  names?: SpeakerNames | undefined;
};

/** A text of a memory in which a search found words. */
export interface MemoryHit {
  memoryId: string;
  name: string;
  /** Start of the memory, as the server wrote it. */
  startedAt: string;
  kind: HitKind;
  /** Label of the speaker, as stored; null if the hit is not in the transcript. */
  speaker: string | null;
  /** Name of the speaker; null if the speaker has none. */
  person: string | null;
  /**
   * Indexes of the smallest run of segments with the words of the hit, both included; null if the hit is not in the
   * transcript.
   */
  segments: { first: number; last: number } | null;
  /** Milliseconds from the start of the memory to the first of these segments, at least 0; null without segments. */
  offset: number | null;
  /**
   * At most 500 UTF-16 units of the text around the words. `highlights` are the UTF-16 offsets of whole words in it; the
   * end is excluded. Control characters are U+FFFD.
   */
  snippet: { text: string; highlights: [start: number, end: number][] };
  /**
   * `together` if this text has all words, `apart` if other texts of the memory have the rest. A later version can add
   * values. Treat an unknown one as `apart`.
   */
  match: 'together' | 'apart';
  /** Words of the query, as asked, that this text does not have. Empty for `together`. */
  lacks: string[];
}

/** Why a search found nothing, and what is nearest. */
export interface SearchMiss {
  /** Number of memories in the range that have a word, in any text. A phrase is one word. */
  words: { text: string; memories: number }[];
  /** Number of memories in the range with a speaker of the query, by label or name. */
  speakers: { label: string; memories: number }[];
  /** Number of memories outside the range. */
  outsideRange: number;
  /**
   * At most 3 memories with most of the words, newest first among equals. `missing` are the words that the searched
   * texts of the memory do not have, so this is not a result.
   */
  nearest: (MemoryHit & { missing: string[] })[];
}
