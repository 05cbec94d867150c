import type { ListedMemory } from '@memory-read/contract';
import type { RequestOptions } from '../client-options.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { WatchState } from './watch-state.ts';

/** A difference between two polls of the list. A minor version can add types. */
export type MemoryChange =
  /** A memory that is new, or listed again. */
  | { readonly type: 'added'; readonly memory: ListedMemory }
  /** A memory whose processing has ended; reported once for each memory. */
  | { readonly type: 'processed'; readonly memory: ListedMemory }
  /** A memory with changed fields. For media URLs, only a change from or to null counts. */
  | { readonly type: 'changed'; readonly memory: ListedMemory; readonly fields: readonly string[] }
  /** A memory that is no longer listed. */
  | { readonly type: 'missing'; readonly memoryId: string };

/** Options of {@link MemoryClient.watchMemories}. */
export interface WatchOptions extends Omit<RequestOptions, 'retries' | 'totalTimeout'> {
  /** Polling interval in milliseconds, from 1 to 2,147,483,647. Default: 30,000 (30 seconds). */
  interval?: number | undefined;
  /** State of an earlier watch, to resume it. The new watch reports what has changed since. Default: a new watch. */
  state?: WatchState | undefined;
  /**
   * Whether a new watch reports the memories that already exist (`emit`) or not (`skip`). Default: `emit`.
   *
   * A state from before the first successful poll keeps the original choice.
   */
  initial?: 'emit' | 'skip' | undefined;
  /**
   * Called when a poll fails, and once for a memory that violates the contract and is left out. Errors that it throws are
   * ignored.
   *
   * A transient error never ends the watch. Any other error does, unless the function returns `'continue'` or a promise of
   * it. The watch then pauses for `interval`, doubled with each such error in a row up to 5 minutes, and ends at the tenth.
   * An abort, an invalid option and a rejection of the apiKey function always end the watch.
   *
   * Default: none.
   */
  onError?: ((error: AnyMemoryApiError, event: WatchErrorEvent) => unknown) | undefined;
}

/** Second argument of `onError` of a watch. */
export interface WatchErrorEvent {
  /** Whether the error ends the watch, unless `onError` returns `'continue'`. */
  readonly isFatal: boolean;
  /** Number of failed polls in a row, including this one. 0 if the poll succeeded but an item of the list is invalid. */
  readonly failures: number;
  /** Time until the next poll, if there is one, in milliseconds. */
  readonly nextDelay: number;
}

/** The changes of an account's memories, as an async iterable. */
export interface MemoryWatch extends AsyncIterable<MemoryChange> {
  /**
   * Position of the watch, as plain JSON that you can store.
   *
   * A change counts as handled once you request the next one. A resumed watch repeats the change that you were
   * handling.
   */
  readonly state: WatchState;
  /** Ends the watch and its iteration, and aborts a pending request. You can call it more than once. */
  close(): Promise<void>;
}
