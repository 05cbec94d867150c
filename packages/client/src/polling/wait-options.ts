import type { Memory } from '@memory-read/contract';
import type { RequestOptions } from '../client-options.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';

/** One look at a memory that is waited for. */
export interface PollEvent {
  /** The memory. */
  readonly memoryId: string;
  /** The round of the wait, from 1. */
  readonly attempt: number;
  /** Milliseconds of the wait so far. */
  readonly elapsed: number;
  /** Milliseconds until the next look; null where this was the last. */
  readonly nextDelay: number | null;
  /** The memory as last seen; undefined where no look has succeeded yet. */
  readonly memory: Memory | undefined;
}

/** How to wait for the end of processing. Durations are milliseconds from 1 to 2,147,483,647. */
export interface WaitOptions extends Omit<RequestOptions, 'retries' | 'totalTimeout'> {
  /**
   * Longest duration of the whole wait; the time that a loop over outcomes spends in its body does not count.
   * Default: 900,000.
   */
  maxWait?: number | false | undefined;
  /**
   * Longest pause after the first look; each pause is random between half of its longest and the whole.
   * Default: 1,000, or `maxInterval` where that is less.
   */
  firstInterval?: number | undefined;
  /** Longest pause at all. Default: 30,000. */
  maxInterval?: number | undefined;
  /** How much longer each pause may be than the one before, from 1. Default: 1.5. */
  backoffFactor?: number | undefined;
  /** Called after each look, once for each memory; what it throws is ignored. */
  onPoll?: ((event: PollEvent) => void) | undefined;
}

/** How the wait for one of several memories ended. New ways may come in a minor version. */
export type WaitOutcome =
  | { readonly memoryId: string; readonly status: 'processed'; readonly memory: Memory }
  | {
      readonly memoryId: string;
      readonly status: 'not_found' | 'timed_out' | 'failed';
      readonly error: AnyMemoryApiError;
    };
