import { isMemoryApiError } from '@memory-read/client';
import { isDiskUnwritable } from '../files/file-error.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import type { Progress } from '../terminal/create-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { type ArchivePart, isTextFormat } from './archive-part.ts';
import type { ArchivedFile } from './archived-memory.ts';

/** Counts of a run. `saved`, `kept` and `failed` count files, the others memories. */
export interface ArchiveCounts {
  memories: number;
  /** Memories that were up to date. */
  unchanged: number;
  /** Memories that are in the folder, but not in the list. */
  missing: number;
  saved: number;
  /** Size of the saved files. */
  bytes: number;
  /** Files that were left unchanged because the memory has less content now. */
  kept: number;
  failed: number;
}

/** An event of a run, printed as a line of JSON. */
export type ArchiveEvent =
  | ({ event: 'saved'; memoryId: string; part: ArchivePart } & Pick<ArchivedFile, 'path' | 'size' | 'sha256'>)
  | {
      event: 'failed';
      memoryId?: string | undefined;
      part?: ArchivePart | undefined;
      error: { code?: string; message: string };
    }
  | { event: 'would_save'; memoryId: string; part: ArchivePart }
  | { event: 'warning'; message: string };

/** A unit of work whose failure is reported. */
interface Step {
  /** Undefined if the memory has no readable id. */
  memoryId: string | undefined;
  /** The part, if the step concerns one file only. */
  part?: ArchivePart | undefined;
  signal: AbortSignal;
}

/** Counts what a run does, shows its progress and emits its events. */
export class ArchiveReport {
  readonly counts: ArchiveCounts = { memories: 0, unchanged: 0, missing: 0, saved: 0, bytes: 0, kept: 0, failed: 0 };
  /** Number of files that a dry run would save. */
  planned = 0;
  readonly #process: CliProcess;
  readonly #progress: Pick<Progress, 'update'>;
  readonly #emit: (event: ArchiveEvent) => Promise<void>;
  #received = 0;
  #finished = 0;
  /** Consecutive connection failures of the server. */
  #connectionFailures = 0;
  /** Consecutive connection failures of the media storage. */
  #storageFailures = 0;

  constructor(process: CliProcess, progress: Pick<Progress, 'update'>, emit: (event: ArchiveEvent) => Promise<void>) {
    this.#process = process;
    this.#progress = progress;
    this.#emit = emit;
  }

  begin(memories: number): void {
    this.counts.memories = memories;
  }

  /** Counts a memory as finished. */
  finish(): void {
    this.#finished += 1;
    this.#show();
  }

  /** Counts received bytes. */
  countBytes(bytes: number): void {
    this.#received += bytes;
    this.#show();
  }

  /** Counts a file that would be saved. */
  plan(memoryId: string, part: ArchivePart): Promise<void> {
    this.planned += 1;
    return this.#emit({ event: 'would_save', memoryId, part });
  }

  countUnchanged(): void {
    this.counts.unchanged += 1;
  }

  countMissing(): void {
    this.counts.missing += 1;
  }

  countKept(): void {
    this.counts.kept += 1;
  }

  warn(message: string): Promise<void> {
    return this.#emit({ event: 'warning', message });
  }

  /** True after so many consecutive failed downloads that another download is not worth waiting for. */
  get isStorageUnavailable(): boolean {
    return this.#storageFailures >= maxConsecutiveFailures;
  }

  /** Runs a step. Its failure is reported and counted, unless it ends the whole run. */
  async runStep({ memoryId, part, signal }: Step, work: () => Promise<ArchivedFile | undefined>): Promise<void> {
    try {
      const file = await work();
      if (part) this.#connectionFailures = 0;
      if (part && !isTextFormat(part)) this.#storageFailures = 0;
      if (file && part && memoryId !== undefined) await this.#save(memoryId, part, file);
    } catch (error) {
      signal.throwIfAborted();
      this.#connectionFailures = isConnectionFailure(error) ? this.#connectionFailures + 1 : 0;
      if (part && !isTextFormat(part)) this.#storageFailures = isStorageFailure(error) ? this.#storageFailures + 1 : 0;
      if (isFinal(error) || this.#connectionFailures === maxConsecutiveFailures) throw error;
      this.counts.failed += 1;
      await this.#emit({ event: 'failed', memoryId, part, error: describe(this.#process, error) });
    }
  }

  async #save(memoryId: string, part: ArchivePart, { path, size, sha256 }: ArchivedFile): Promise<void> {
    this.counts.saved += 1;
    this.counts.bytes += size;
    // The bytes of media are counted during the download.
    if (isTextFormat(part)) this.#received += size;
    this.#show();
    await this.#emit({ event: 'saved', memoryId, part, path, size, sha256 });
  }

  #show(): void {
    const { memories } = this.counts;
    const share = memories === 0 ? undefined : this.#finished / memories;
    const text = `${this.#finished} of ${memories} memories, ${formatBytes(this.#received)}`;
    this.#progress.update({ text, count: this.#received, share });
  }
}

/** Every further request would wait through all of its retries. */
const maxConsecutiveFailures = 5;

function isConnectionFailure(error: unknown): boolean {
  return isMemoryApiError(error) && (error.code === 'connection' || error.code === 'timeout');
}

function isStorageFailure(error: unknown): boolean {
  return isMemoryApiError(error) && error.code === 'media_download' && error.reason === 'interrupted';
}

function isFinal(error: unknown): boolean {
  return isDiskUnwritable(error) || (isMemoryApiError(error) && error.code === 'authentication');
}

function describe(process: CliProcess, error: unknown): { code?: string; message: string } {
  if (isMemoryApiError(error)) return { code: error.code, message: explainFailure(process, error) };
  const { message = String(error) } = Object(error);
  return { message };
}
