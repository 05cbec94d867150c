import type { ArchivePart } from './archive-part.ts';

/** The entry of a memory in the manifest. */
export interface ArchivedMemory {
  id: string;
  /** Name of the memory when a file was last written. */
  name: string;
  /** Beginning of its file names. It does not change when the memory is renamed. */
  stem: string;
  /** ISO 8601 date-time since which the memory is missing from the list. Its files stay. */
  missingSince?: string | undefined;
  files: { [Part in ArchivePart]?: ArchivedFile | undefined };
  /** Digest of the memory's state that each part is up to date with, also for a part without a file. */
  seen: { [Part in ArchivePart]?: string | undefined };
}

/** A saved file. If its content differs from the digest, a person or another program has changed it. */
export interface ArchivedFile {
  /** The name of the file in the folder. */
  path: string;
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal. */
  sha256: string;
  /** Content that a later version must not remove. */
  holds?: readonly Holding[] | undefined;
  /** The move into the folder, until it is finished. */
  pending?: PendingMove | undefined;
}

/** A move of a complete file. If a run is killed during the move, the next run finishes it. */
export interface PendingMove {
  /** The name of the file in the work folder. */
  source: string;
  /** The file that it replaces. */
  replaces?: Omit<ArchivedFile, 'path' | 'pending'> | undefined;
}

/** Content that a file of a memory can have. */
export type Holding = 'processed' | 'summary' | 'transcript';
