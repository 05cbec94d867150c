import { isMemoryApiError } from '@memory-read/client';
import type { Progress } from '../terminal/create-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { isDiskSpent } from './archive-error.ts';
import { type ArchivePart, isTextFormat } from './archive-part.ts';
import type { ArchivedFile } from './archived-memory.ts';

/** How a run went. Memories, but for `saved`, `kept` and `failed`: files. */
export interface ArchiveCounts {
  memories: number;
  /** Up to date already. */
  unchanged: number;
  /** In the folder, but not in the list. */
  missing: number;
  saved: number;
  /** Of those saved. */
  bytes: number;
  /** Left as they were, because the memory has less now. */
  kept: number;
  failed: number;
}

/** What happens to one file, a line of JSON for programs. */
export type ArchiveEvent =
  | ({ event: 'saved'; memoryId: string; part: ArchivePart } & Pick<ArchivedFile, 'path' | 'size' | 'sha256'>)
  | { event: 'failed'; memoryId: string; part?: ArchivePart | undefined; error: { code?: string; message: string } }
  | { event: 'warning'; message: string };

/** One thing that is done. */
interface Step {
  memoryId: string;
  /** The only file that it is about. */
  part?: ArchivePart | undefined;
  signal: AbortSignal;
}

/** Follows a run: counts, shows how far it is, and passes on what happens. */
export class ArchiveReport {
  readonly counts: ArchiveCounts = { memories: 0, unchanged: 0, missing: 0, saved: 0, bytes: 0, kept: 0, failed: 0 };
  readonly #progress: Progress;
  readonly #tell: (event: ArchiveEvent) => Promise<void>;
  #received = 0;
  #finished = 0;
  /** How many failures in a row say that the server is not there. */
  #outOfReach = 0;
  /** The same of the storage of the media. */
  #storageFailures = 0;

  constructor(progress: Progress, tell: (event: ArchiveEvent) => Promise<void>) {
    this.#progress = progress;
    this.#tell = tell;
  }

  begin(memories: number): void {
    this.counts.memories = memories;
  }

  /** A memory is done with. */
  finish(): void {
    this.#finished += 1;
    this.#show();
  }

  /** Bytes of media have come. */
  receive(bytes: number): void {
    this.#received += bytes;
    this.#show();
  }

  leave(): void {
    this.counts.unchanged += 1;
  }

  miss(): void {
    this.counts.missing += 1;
  }

  keep(): void {
    this.counts.kept += 1;
  }

  warn(message: string): Promise<void> {
    return this.#tell({ event: 'warning', message });
  }

  /** Whether so many downloads in a row came to nothing that no other is worth its wait. */
  get isStorageDead(): boolean {
    return this.#storageFailures >= patience;
  }

  /** Does one thing. Its failure is told and counted, unless nothing else could be done after it either. */
  async follow({ memoryId, part, signal }: Step, work: () => Promise<ArchivedFile | undefined>): Promise<void> {
    try {
      const file = await work();
      if (part) this.#outOfReach = 0;
      if (part && !isTextFormat(part)) this.#storageFailures = 0;
      if (file && part) await this.#save(memoryId, part, file);
    } catch (error) {
      signal.throwIfAborted();
      this.#outOfReach = isOutOfReach(error) ? this.#outOfReach + 1 : 0;
      if (part && !isTextFormat(part)) this.#storageFailures = isStorageOut(error) ? this.#storageFailures + 1 : 0;
      if (isFinal(error) || this.#outOfReach === patience) throw error;
      this.counts.failed += 1;
      await this.#tell({ event: 'failed', memoryId, part, error: describe(error) });
    }
  }

  async #save(memoryId: string, part: ArchivePart, { path, size, sha256 }: ArchivedFile): Promise<void> {
    this.counts.saved += 1;
    this.counts.bytes += size;
    // Media were counted while they came.
    if (isTextFormat(part)) this.receive(size);
    await this.#tell({ event: 'saved', memoryId, part, path, size, sha256 });
  }

  #show(): void {
    const { memories } = this.counts;
    const share = memories === 0 ? undefined : this.#finished / memories;
    const text = `${this.#finished} of ${memories} memories, ${formatBytes(this.#received)}`;
    this.#progress.update({ text, count: this.#received, share });
  }
}

/** The others would each be waited for, through all retries. */
const patience = 5;

function isOutOfReach(error: unknown): boolean {
  return isMemoryApiError(error) && (error.code === 'connection' || error.code === 'timeout');
}

function isStorageOut(error: unknown): boolean {
  return isMemoryApiError(error) && error.code === 'media_download' && error.reason === 'interrupted';
}

function isFinal(error: unknown): boolean {
  return isDiskSpent(error) || (isMemoryApiError(error) && error.code === 'authentication');
}

function describe(error: unknown): { code?: string; message: string } {
  if (isMemoryApiError(error)) return { code: error.code, message: explainFailure(error) };
  return { message: error instanceof Error ? error.message : String(error) };
}
