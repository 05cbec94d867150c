import { type AnyMemoryApiError, isMemoryApiError, type MediaKind } from '@memory-read/client';
import type { SyncReport } from './sync-types.ts';

const MAXIMUM_CONNECTION_FAILURES = 5;

/** Collects the failures of single memories, and throws those that end a sync. */
export class FailureCount {
  readonly #report: SyncReport;
  #connectionFailures = 0;

  constructor(report: SyncReport) {
    this.#report = report;
  }

  succeed(): void {
    this.#connectionFailures = 0;
  }

  fail(error: unknown, signal: AbortSignal, at: { memoryId: string; kind?: MediaKind }): void {
    // An aborted call can reject with an error of its own.
    signal.throwIfAborted();
    if (!isMemoryApiError(error) || endsSync(error)) throw error;
    const isConnectionFailure = error.code === 'connection' || error.code === 'timeout';
    this.#connectionFailures = isConnectionFailure ? this.#connectionFailures + 1 : 0;
    if (this.#connectionFailures === MAXIMUM_CONNECTION_FAILURES) throw error;
    this.#report.failed.push({ ...at, error });
  }
}

/** An id that no request can carry fails without an option. It concerns one memory only. */
function endsSync(error: AnyMemoryApiError): boolean {
  return error.code === 'authentication' || (error.code === 'configuration' && error.option !== undefined);
}
