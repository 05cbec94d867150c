import type { MediaKind } from '@memory-read/client';
import type { ExportFormat } from '../documents/to-document.ts';
import type { MirrorError } from '../errors/mirror-error.ts';
import type { ExportPart } from '../files/name-files.ts';
import type { RangeOptions } from '../options/check-options.ts';

/** Options of `exportFiles`. */
export interface ExportFilesOptions extends RangeOptions {
  /** Documents to write of each memory. Default: none. */
  formats?: readonly ExportFormat[] | undefined;
  /** Whether to write the media that the mirror has, or which kinds. Default: `false`. */
  media?: boolean | readonly MediaKind[] | undefined;
  /**
   * Template of the names, with `/` for folders. Fields are `{date}`, `{time}`, `{year}`, `{month}`, `{day}`, `{name}`,
   * `{id}` and `{memory_id}`. Default: that of the last run in this folder, at first `{date} {name} {id}`.
   */
  name?: string | undefined;
  /** IANA time zone of the names and of the range. Default: that of the last run in this folder, at first the system's. */
  timeZone?: string | undefined;
  /** Whether media take their own space. Default: `false`, which shares the space of the mirror where the disk can. */
  copy?: boolean | undefined;
  /** Whether to use a folder that lost its mark, or that another mirror wrote. Default: `false`. */
  adopt?: boolean | undefined;
  /** Whether to write nothing, and report what a run would write and rename. Default: `false`. */
  dryRun?: boolean | undefined;
  /** Called for each step. Errors that it throws are ignored. Default: none. */
  onProgress?(event: ExportProgress): void;
  /** Cancels the export. Whole files stay, and the next run writes the others. Default: none. */
  signal?: AbortSignal | undefined;
}

/**
 * A step of an export. Paths are relative to the folder, with `/`.
 *
 * - `planned`: the number of memories of the range.
 * - `memory`: `done` of the memories are finished.
 * - `saved`: a file was written. `sha256` is in hexadecimal, and `linked` says that it shares the space of the mirror. A
 *   dry run names only the path.
 * - `renamed`, `removed`: a file was moved with its memory, or removed because its memory was purged.
 * - `kept`: a file belongs to its owner, so that the new version is beside it.
 * - `failed`: a file could not be written, or without a part, a memory could not be read.
 */
export type ExportProgress =
  | { type: 'planned'; memories: number }
  | { type: 'memory'; memoryId: string; done: number; memories: number }
  | {
      type: 'saved';
      memoryId: string;
      part: ExportPart;
      path: string;
      size?: number;
      sha256?: string;
      linked?: boolean;
    }
  | { type: 'renamed'; memoryId: string; part: ExportPart; from: string; path: string }
  | { type: 'removed'; path: string }
  | ({ type: 'kept' } & KeptFile)
  | ({ type: 'failed' } & ExportFailure);

/** A file that belongs to its owner. The new version was written beside it. */
export interface KeptFile {
  memoryId: string;
  part: ExportPart;
  /** Path of the file that stays, relative to the folder. */
  path: string;
  /** Whether the mirror wrote the file and its owner edited it, or the mirror never wrote it. */
  reason: 'edited' | 'foreign';
  /** Path of the new file, relative to the folder. */
  writtenTo: string;
}

/** A file that could not be written. */
export interface ExportFailure {
  memoryId: string;
  /** Null if the memory itself could not be read. */
  part: ExportPart | null;
  error: MirrorError;
}

/** Result of `exportFiles`. */
export interface ExportFilesReport {
  /** Absolute path. */
  folder: string;
  /** Memories of the range. */
  memories: number;
  /** Memories of which nothing had to be written or renamed. */
  unchanged: number;
  /** Memories of the range that are missing on the server. */
  missing: number;
  /** Files that were written. In a dry run, those that would be. */
  saved: number;
  /** Their size in bytes. */
  bytes: number;
  /** Files of these that share the space of the mirror. */
  linked: number;
  /** Files that were moved with their memories. In a dry run, those that would be. */
  renamed: number;
  /** Files of memories that were purged while the folder was away. */
  removed: number;
  /** Files that do not exist: documents that need a transcript, and media that the mirror does not have. */
  lacking: number;
  /** Files that belong to their owner, once for each new version. */
  kept: KeptFile[];
  failed: ExportFailure[];
  /** Whether a reader kept the end of the run in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

/** A folder that the mirror exports to. */
export interface ExportFolder {
  /** Absolute path. */
  folder: string;
  /** Template of the names. */
  name: string;
  /** IANA time zone of the names. */
  timeZone: string;
  /** Whether the folder is there with its mark. */
  isReachable: boolean;
}
