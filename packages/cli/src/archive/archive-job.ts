import type { MemoryClient } from '@memory-read/client';
import type { TimeRange } from '../times/is-in-range.ts';
import type { ArchivePart } from './archive-part.ts';
import type { ArchiveReport } from './archive-report.ts';
import type { Archive } from './place-files.ts';

/** Options of a run that saves the memories of an account. */
export interface ArchivePlan {
  client: MemoryClient;
  parts: readonly ArchivePart[];
  /** Only memories that started in it are read. Others are not marked as missing. */
  range?: TimeRange | undefined;
  /** Number of memories that are processed in parallel. */
  concurrency: number;
  /** Whether to compare the digests of the saved files. */
  verify?: boolean | undefined;
  /** Whether to accept a folder of another base URL. */
  adopt?: boolean | undefined;
  report: ArchiveReport;
  signal: AbortSignal;
}

/** A plan that is being executed. */
export interface ArchiveJob extends ArchivePlan, Archive {}
