import type { ArchivePart } from './archive-part.ts';

/** The entry of a memory in the manifest. */
export interface ArchivedMemory {
  id: string;
  /** As the API had it when something was last written. */
  name: string;
  /** What the names of its files begin with. Chosen once: it stays when the memory is renamed. */
  stem: string;
  /** Since when the list does not have it any more, ISO 8601; its files stay. */
  missingSince?: string | undefined;
  files: { [Part in ArchivePart]?: ArchivedFile | undefined };
  /** The state of the memory, a digest, that each part is up to date with; also of one that there is nothing to keep of. */
  seen: { [Part in ArchivePart]?: string | undefined };
}

/** What was written, and what it held: whatever else lies there now is somebody else's. */
export interface ArchivedFile {
  /** The name of the file in the folder. */
  path: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  /** What it has that may not be lost again. */
  holds?: readonly Holding[] | undefined;
  /** How it comes to its place, until it is known to have. */
  pending?: PendingMove | undefined;
}

/** A move of a complete file. If a run is killed during the move, the next run finishes it. */
export interface PendingMove {
  /** The name of the file in the work folder. */
  source: string;
  /** What it takes the place of. */
  replaces?: Omit<ArchivedFile, 'path' | 'pending'> | undefined;
}

/** What a file of a memory can have. */
export type Holding = 'processed' | 'summary' | 'transcript';
