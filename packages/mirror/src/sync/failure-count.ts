import { type AnyMemoryApiError, isMemoryApiError, type MediaKind } from '@memory-read/client';
import type { SyncFailure, SyncProgress, SyncReport } from './sync-types.ts';

const MAXIMUM_CONNECTION_FAILURES = 5;

/** Collects the failures of single memories, and throws those that end a sync. */
export class FailureCount {
  readonly #report: SyncReport;
  readonly #emit: (event: SyncProgress) => void;
  #connectionFailures = 0;

  constructor(report: SyncReport, emit: (event: SyncProgress) => void) {
    this.#report = report;
    this.#emit = emit;
  }

  succeed(): void {
    this.#connectionFailures = 0;
  }

  fail(error: unknown, signal: AbortSignal, at: { memoryId: string; kind?: MediaKind }): void {
    // An aborted call can reject with another error, so the signal is checked first.
    signal.throwIfAborted();
    if (!isMemoryApiError(error) || endsSync(error)) throw error;
    this.#connectionFailures = isConnectionFailure(error) ? this.#connectionFailures + 1 : 0;
    if (this.#connectionFailures === MAXIMUM_CONNECTION_FAILURES) throw error;
    this.add({ ...at, error });
  }

  /** Records a failure, which does not end the sync. */
  add(failure: SyncFailure): void {
    this.#report.failed.push(failure);
    this.#emit({ type: 'failed', ...failure });
  }
}

/** The server or the media storage cannot be reached. Every further call would wait for all its retries. */
function isConnectionFailure(error: AnyMemoryApiError): boolean {
  if (error.code === 'media_download') return error.reason === 'interrupted';
  return error.code === 'connection' || error.code === 'timeout';
}

/** An id that cannot be sent causes an error without an option. Such an error concerns only one memory. */
function endsSync(error: AnyMemoryApiError): boolean {
  return error.code === 'authentication' || (error.code === 'configuration' && error.option !== undefined);
}
