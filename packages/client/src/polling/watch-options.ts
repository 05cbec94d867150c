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
  /** Called for each transient error. Errors that it throws are ignored. */
  onError?: ((error: AnyMemoryApiError) => void) | undefined;
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
