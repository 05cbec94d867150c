import type { MediaKind, MemoryClient } from '@memory-read/client';
import type { ArchiveReport } from './archive-report.ts';
import type { ArchivePart } from './archived-memory.ts';
import type { Archive } from './place-files.ts';
import { type TextFormat, textFormats } from './text-formats.ts';

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

export function isTextFormat(part: ArchivePart): part is TextFormat {
  return Object.hasOwn(textFormats, part);
}

export function isMediaKind(part: ArchivePart): part is MediaKind {
  return !isTextFormat(part);
}
