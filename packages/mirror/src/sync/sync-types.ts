import type { AnyMemoryApiError, MediaKind, MemoryClient } from '@memory-read/client';

/** What `sync` needs of a client. A `MemoryClient` has all of it. */
export type SyncClient = Pick<MemoryClient, 'baseUrl' | 'listMemories' | 'getMemory' | 'openMedia'>;

/** Options of `sync`. */
export interface SyncOptions {
  /** Whether to save media, or which kinds. Default: `false`. */
  media?: boolean | readonly MediaKind[] | undefined;
  /** Earliest start of the memories that are read. Default: no limit. */
  since?: Date | string | undefined;
  /** Time before which the memories that are read must start. A day is included. Default: no limit. */
  until?: Date | string | undefined;
  /** IANA time zone of texts without an offset. Default: `UTC`. */
  timeZone?: string | undefined;
  /** What happens to memories that are missing from two lists in a row: `keep` or `purge`. Default: `keep`. */
  missing?: 'keep' | 'purge' | undefined;
  /**
   * Whether an empty list is accepted at once. With `never`, no empty list marks or purges a memory. Default: `false`,
   * which accepts the second empty list in a row.
   */
  allowEmpty?: boolean | 'never' | undefined;
  /** Number of unchanged memories that are read again, 0 to 10,000. Default: 0. */
  recheck?: number | undefined;
  /** Whether to sync although the client has another base URL. Default: `false`. */
  adopt?: boolean | undefined;
  /** Maximum number of memories in flight, 1 to 16. Default: 4. */
  concurrency?: number | undefined;
  /** Whether to send only the request for the list, return the counts, and write nothing. Default: `false`. */
  dryRun?: boolean | undefined;
  /** Called for each step. Errors that it throws are ignored. Default: none. */
  onProgress?(event: SyncProgress): void;
  /** Cancels the sync. Memories and media that were written stay. Default: none. */
  signal?: AbortSignal | undefined;
}

/**
 * A step of a sync.
 *
 * - `listed`: the list was read. `inRange` of its memories are between `since` and `until`. `report` has the counts so far,
 *   and grows during the sync.
 * - `planned`: a memory will be read, or with a `kind`, a media file. These follow `listed`, also in a dry run.
 * - `memory`: a memory was read, or failed.
 * - `media`: bytes of a media file arrived.
 * - `saved`: a media file is complete. `path` is relative to the folder of the mirror, `size` in bytes. An
 *   earlier run downloaded the first `resumedFrom` bytes.
 * - `failed`: a memory could not be read, or with a `kind`, a media file.
 * - `doubt`: the speakers of a memory have changed, so that the name of a person became doubtful. `label` is the speaker
 *   when the person was named.
 */
export type SyncProgress =
  | { type: 'listed'; listed: number; inRange: number; due: number; report: Readonly<SyncReport> }
  | { type: 'planned'; memoryId: string; kind?: MediaKind | undefined }
  | {
      type: 'memory';
      memoryId: string;
      change: 'added' | 'changed' | 'unchanged' | 'failed';
      done: number;
      due: number;
    }
  | { type: 'media'; memoryId: string; kind: MediaKind; bytesReceived: number; size: number | null }
  | { type: 'saved'; memoryId: string; kind: MediaKind; path: string; size: number; resumedFrom: number }
  | { type: 'doubt'; memoryId: string; label: string; person: string }
  | ({ type: 'failed' } & SyncFailure);

/** Result of `sync`. */
export interface SyncReport {
  /** Calls for the list and for details. Downloads of media are not counted. */
  requests: number;
  /** Valid memories of the list. */
  listed: number;
  /** Listed memories that are being processed. */
  processing: number;
  /** Memories that are new in the mirror. */
  added: number;
  /** Memories with a new version. */
  changed: number;
  /** Memories without a new version. */
  unchanged: number;
  /** Memories that are newly missing from the list. */
  missing: number;
  /** Missing memories that are in the list again. */
  returned: number;
  /** Missing memories that were purged. */
  purged: number;
  /** Files that a purge left, as in the report of `purge`. Absent if there are none. */
  leftFiles?: string[];
  /** Unchanged memories that were read again. */
  rechecked: number;
  /** Whether the list was empty, but nothing was marked: another empty list must confirm it. */
  unconfirmedEmptyList: boolean;
  /**
   * Whether the list can lack any memory, so none was marked as missing or purged. Either an invalid memory has no
   * readable id, or `responseInfo` is undefined: the client returned a copy of the list, or removed a memory from it.
   */
  incompleteList: boolean;
  /** Media files that were saved. */
  mediaSaved: number;
  /** Bytes of media that were saved. */
  mediaBytes: number;
  /** Memories and media that could not be read. The next sync reads them again. */
  failed: SyncFailure[];
  /** Names that became doubtful, because the speakers of their memories have changed. */
  doubtfulNames: number;
  /** Whether a reader kept the end of the sync in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

/** A memory, or one of its media, that could not be read. */
export interface SyncFailure {
  /** Id of the memory; empty if an invalid item of the list has no readable id. */
  memoryId: string;
  /** Kind of the media; absent for the memory itself. */
  kind?: MediaKind | undefined;
  error: AnyMemoryApiError;
}
