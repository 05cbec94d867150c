import type { ListedMemory } from '@memory-read/contract';
import type { RequestOptions } from '../client-options.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { WatchState } from './watch-state.ts';

/** A difference between one look at the list and the next. New types may come in a minor version. */
export type MemoryChange =
  /** A memory that was not there before, or is there again. */
  | { readonly type: 'added'; readonly memory: ListedMemory }
  /** The end of its processing: once for each memory. */
  | { readonly type: 'processed'; readonly memory: ListedMemory }
  /** Other fields differ; of the media URLs, only whether they are null. */
  | { readonly type: 'changed'; readonly memory: ListedMemory; readonly fields: readonly string[] }
  /** A memory that is not listed any more. */
  | { readonly type: 'missing'; readonly memoryId: string };

/** How to watch the memories of an account. */
export interface WatchOptions extends Omit<RequestOptions, 'retries' | 'totalTimeout'> {
  /** Milliseconds from one look to the next, from 1 to 2,147,483,647. Default: 30,000. */
  interval?: number | undefined;
  /** Where an earlier watch stood: goes on from there, and tells what has changed since. */
  state?: WatchState | undefined;
  /**
   * Whether a watch without a state tells the memories that are there already. Default: `emit`.
   *
   * A state from before the first look that succeeded keeps what was chosen.
   */
  initial?: 'emit' | 'skip' | undefined;
  /** Called for each look that failed and is repeated; what it throws is ignored. */
  onError?: ((error: AnyMemoryApiError) => void) | undefined;
}

/** The changes of an account's memories, as they are seen. */
export interface MemoryWatch extends AsyncIterable<MemoryChange> {
  /**
   * Where the watch stands, as plain JSON to store. It covers every change whose following `next()` was called, so that
   * a watch resumed from it tells the change at hand again.
   */
  readonly state: WatchState;
  /** Ends the watch with its pause and its request; the iteration ends. Can be called again. */
  close(): Promise<void>;
}
