import type { MediaKind, MemoryClient } from '@memory-read/client';
import type { ArchivePart } from './archive-part.ts';
import type { ArchiveReport } from './archive-report.ts';
import type { Archive } from './place-files.ts';

/** What to keep of the memories of an account. */
export interface ArchivePlan {
  client: MemoryClient;
  parts: readonly ArchivePart[];
  /** Memories that are worked on at the same time. */
  concurrency: number;
  /** Reads and downloads all again, also what is up to date. */
  refresh?: boolean | undefined;
  /** Reads the files that are there again, and compares their digests. */
  verify?: boolean | undefined;
  /** Takes over a folder of another base URL. */
  adopt?: boolean | undefined;
  report: ArchiveReport;
  signal: AbortSignal;
}

/** The same while it is being done. */
export interface ArchiveJob extends ArchivePlan, Archive {}

export const mediaKinds = ['audio', 'video', 'preview_image'] as const satisfies readonly MediaKind[];
