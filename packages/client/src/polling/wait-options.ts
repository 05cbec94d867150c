import type { Memory } from '@memory-read/contract';
import type { RequestOptions } from '../client-options.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';

/** Emitted after each poll of a wait, once for each memory. */
export interface PollEvent {
  /** Id of the memory. */
  readonly memoryId: string;
  /** Number of the poll, from 1. */
  readonly attempt: number;
  /** Time since the wait began, in milliseconds. */
  readonly elapsed: number;
  /** Time until the next poll, in milliseconds; null after the last poll. */
  readonly nextDelay: number | null;
  /** Memory of the last successful poll; undefined before it. */
  readonly memory: Memory | undefined;
  /** Error of this poll; undefined if it succeeded, or if `maxWait` interrupted it. */
  readonly error: AnyMemoryApiError | undefined;
}

/** Options of a wait. Durations range from 1 to 2,147,483,647 milliseconds. */
export interface WaitOptions extends Omit<RequestOptions, 'retries' | 'totalTimeout'> {
  /**
   * Maximum time to wait, in milliseconds. Default: 900,000 (15 minutes). `false` waits without a limit.
   *
   * The time that your loop spends on an outcome does not count.
   */
  maxWait?: number | false | undefined;
  /**
   * Polling interval after the first poll, in milliseconds. Each interval is shortened by up to 50 % jitter. Default:
   * 1,000 (1 second), or `maxInterval` if that is less.
   */
  firstInterval?: number | undefined;
  /** Maximum polling interval, in milliseconds. Default: 30,000 (30 seconds). */
  maxInterval?: number | undefined;
  /** Factor by which each polling interval grows, at least 1. Default: 1.5. */
  backoffFactor?: number | undefined;
  /** Called after each poll, once for each memory. Errors that it throws are ignored. Default: none. */
  onPoll?: ((event: PollEvent) => void) | undefined;
}

/** How the wait for one of several memories ended. A minor version can add statuses. */
export type WaitOutcome =
  | { readonly memoryId: string; readonly status: 'processed'; readonly memory: Memory }
  | {
      readonly memoryId: string;
      readonly status: 'not_found' | 'timed_out' | 'failed';
      readonly error: AnyMemoryApiError;
    };
