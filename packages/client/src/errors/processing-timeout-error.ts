import type { Memory } from '@memory-read/contract';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Fields of a {@link ProcessingTimeoutError}. */
export interface ProcessingTimeoutErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly maxWait: number;
  readonly memory?: Memory | undefined;
}

/**
 * Thrown when a memory is not processed within `maxWait`. Its `cause` is the error of the last poll, if it failed. A poll
 * that `maxWait` interrupts does not count.
 *
 * It has no `responseHeaders`, because no response led to it. The headers of a failed poll are those of the `cause`. Those of a
 * memory are in `responseInfo(error.memory)`. See section 3 of the specification.
 */
export class ProcessingTimeoutError extends MemoryApiError<Omit<ProcessingTimeoutErrorInit, 'memory'>> {
  static {
    nameErrors(this, 'ProcessingTimeoutError');
  }

  readonly code = 'processing_timeout';
  /** Id of the memory. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
  /** Maximum time to wait, in milliseconds. */
  declare readonly maxWait: number;
  readonly #memory: Memory | undefined;

  constructor(message: string, { memory, ...init }: ProcessingTimeoutErrorInit) {
    super(message, init);
    this.#memory = memory;
  }

  /**
   * Memory of the last successful poll, if any. If it comes from the list, it has no transcript.
   *
   * It holds signed URLs, so neither a log of the error nor its JSON shows it.
   */
  get memory(): Memory | undefined {
    return this.#memory;
  }

  /** @internal Hides the signed URLs, even if an inspection shows getters. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return inspect(this, { ...options, customInspect: false, getters: false });
  }
}
