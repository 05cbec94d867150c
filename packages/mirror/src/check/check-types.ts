import type { MediaKind } from '@memory-read/client';

/** Something in a mirror that is not as it was written. */
export interface Damage {
  /** Memory that is concerned; null if it is unknown, or not a single one. */
  memoryId: string | null;
  /**
   * A version of a memory, a recording, a generated file, or the index of the search. `database` is another part of
   * `mirror.sqlite`, such as the history or the names of speakers.
   */
  part: 'version' | MediaKind | 'page' | 'index' | 'database';
  /** Number of the version or event; null for other parts. */
  version: number | null;
  /** Path relative to the folder of the mirror; null for what is in `mirror.sqlite`. */
  path: string | null;
}

/** Result of `check`. */
export interface CheckReport {
  /** Memories that were read. */
  memories: number;
  /** Versions that were read. */
  versions: number;
  /** Recordings that were read. */
  media: number;
  /** What is damaged; empty if everything is as it was written. */
  damaged: Damage[];
}

/** Result of `repair`. */
export interface RepairReport {
  /** Calls for details. Downloads of recordings are not counted. */
  requests: number;
  /** Damages that were repaired. */
  repaired: number;
  /** Damages that stay, because the server no longer has what was there. */
  lost: Damage[];
}
