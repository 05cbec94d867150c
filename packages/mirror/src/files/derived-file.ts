import type { FileContent, WrittenFile } from './file-content.ts';
import type { FileRow } from './file-rows.ts';

/** A file that is derived from the mirror, as it should be. */
export interface DerivedFile {
  memoryKey: number;
  memoryId: string;
  part: string;
  /** Path without the suffix, relative to the folder, with `/`. An update gets its number between the two. */
  stem: string;
  suffix: string;
  /** Version of the memory. An edited file gets an update beside it for a new one only. */
  version: string;
  /** Everything that the content depends on. */
  depends: string;
  /**
   * Whether an update is written beside a file that belongs to its owner. If not, a file that was there before takes the
   * place of this one. Default: true.
   */
  hasUpdates?: boolean;
  /** Returns the content; undefined if the memory was purged meanwhile. Not called for a file that is current. */
  content(): FileContent | undefined | Promise<FileContent | undefined>;
}

/** A file that belongs to its owner, so that the new version was written beside it. */
export interface KeptPath {
  path: string;
  /** `edited`: we wrote it, and its owner changed it. `foreign`: we did not write it. */
  reason: 'edited' | 'foreign';
  writtenTo: string;
}

/** Called for what a run does. A failure that is not thrown again concerns one file only. */
export interface DerivedFileEvents {
  saved(file: DerivedFile, written: WrittenFile & { path: string }): void;
  kept(file: DerivedFile, kept: KeptPath): void;
  renamed(row: FileRow, from: string): void;
  failed(file: Pick<DerivedFile, 'memoryKey' | 'part'>, error: unknown): void;
}

/** What the files of a memory are called. */
export interface FileNames {
  stem: string;
  /** Suffixes of the parts that have no fixed one. */
  suffixes: Readonly<Record<string, string | undefined>>;
}

/** A file that gets another name. */
export interface Move {
  row: FileRow;
  from: string;
  to: string;
  suffix: string;
}
