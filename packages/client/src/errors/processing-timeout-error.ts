import type { Memory } from '@memory-read/contract';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** What a {@link ProcessingTimeoutError} carries. */
export interface ProcessingTimeoutErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly maxWait: number;
  readonly memory?: Memory | undefined;
}

/**
 * No look within `maxWait` found the memory processed. Its `cause` is the last look that failed, if any did.
 *
 * See section 3 of the specification.
 */
export class ProcessingTimeoutError extends MemoryApiError<Omit<ProcessingTimeoutErrorInit, 'memory'>> {
  static {
    nameErrors(this, 'ProcessingTimeoutError');
  }

  readonly code = 'processing_timeout';
  /** The id that was waited for; redacted where it holds a key or the query of a URL. */
  declare readonly memoryId: string;
  /** Longest wait that was allowed, in milliseconds. */
  declare readonly maxWait: number;
  readonly #memory: Memory | undefined;

  constructor(message: string, { memory, ...init }: ProcessingTimeoutErrorInit) {
    super(message, init);
    this.#memory = memory;
  }

  /**
   * The memory as it was last seen, if a look succeeded; as it came from a list, it has no transcript.
   *
   * It holds its signed URLs, so it shows neither when the error is logged nor in its JSON.
   */
  get memory(): Memory | undefined {
    return this.#memory;
  }

  /** @internal Who asks for getters to be shown would get the signed URLs. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return inspect(this, { ...options, customInspect: false, getters: false });
  }
}
