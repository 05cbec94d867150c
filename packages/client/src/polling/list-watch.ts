import type { ListedMemory } from '@memory-read/contract';
import type { Client } from '../client.ts';
import { isKeyRejection } from '../configuration/api-key.ts';
import { pollTable } from '../configuration/call-options.ts';
import { checkOptionsLater, type OptionTable } from '../configuration/check-options.ts';
import { callback, given, interval, oneOf } from '../configuration/option-kinds.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import {
  isTransient,
  LONGEST_POLL_PAUSE,
  MAXIMUM_WATCH_FAILURES,
  pauseFor,
  watchPause,
} from '../policy/failure-policy.ts';
import { factsOf, type ResponseFacts } from '../response-info.ts';
import { rejectOnAbort, runtime, throwIfAborted } from '../transport/deadline.ts';
import { retryAfterOf } from '../transport/retry-after.ts';
import { abortableGenerator } from './abortable-generator.ts';
import { createPollSource, type PollSource } from './poll-source.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { MemoryChange, MemoryWatch, WatchErrorEvent, WatchOptions } from './watch-options.ts';
import { createWatchState, type WatchState } from './watch-state.ts';

const watchTable: OptionTable = {
  ...pollTable,
  interval,
  initial: oneOf('emit', 'skip'),
  state: given,
  onError: callback,
};

/**
 * Polls the list, and yields each change of the account's memories. See section 4.1 of the specification.
 *
 * The iteration throws the errors of `MemoryClient.watchMemories`.
 *
 * @example
 * ```ts
 * for await (const change of watchMemories(client, { interval: 60_000 })) {
 *   console.log(change.type);
 *   break;
 * }
 * ```
 */
export function watchMemories(client: Client, options: WatchOptions = {}): MemoryWatch {
  return new ListWatch(createPollSource(client, 'watchMemories'), options);
}

/** Polls the list and yields what has changed. */
class ListWatch implements MemoryWatch {
  readonly #source: PollSource;
  readonly #options: () => WatchOptions;
  readonly #changes: AsyncGenerator<MemoryChange, void, void>;
  #cursor: WatchCursor | undefined;
  #isIterated = false;
  /** Failed polls in a row. */
  #failures = 0;
  /** Those of them that are not transient, in a row. */
  #fatalFailures = 0;
  /** Ids of the memories that were left out of the last list. */
  #broken: ReadonlySet<string | undefined> = new Set();

  constructor(source: PollSource, options: WatchOptions) {
    this.#source = source;
    this.#options = checkOptionsLater('watch memories', watchTable, options);
    this.#changes = abortableGenerator(this.#options, (signal) => this.#watch(signal), source.site);
  }

  get state(): WatchState {
    return this.#openCursor().state;
  }

  async close(): Promise<void> {
    await this.#changes.return();
  }

  [Symbol.asyncIterator](): AsyncIterator<MemoryChange, void, void> {
    if (this.#isIterated) return { next: refuseIteration };
    this.#isIterated = true;
    return this.#changes;
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<MemoryChange, void, void> {
    const { interval = 30_000, initial, state, onError, ...requestOptions } = this.#options();
    const cursor = this.#openCursor();
    for (;;) {
      const startedAt = runtime.uptime();
      const untilNext = () => Math.max(0, startedAt + interval - runtime.uptime());
      let list: ListedMemory[];
      try {
        list = await this.#source.listMemories({ ...requestOptions, signal, retries: 0, totalTimeout: false });
      } catch (error) {
        if (signal.aborted || !isMemoryApiError(error) || isKeyRejection(error)) throw error;
        await runtime.sleep(await this.#pauseAfter(error, interval, signal), signal);
        continue;
      }
      this.#failures = 0;
      this.#fatalFailures = 0;
      this.#reportBroken(list, untilNext);
      throwIfAborted(signal);
      if (cursor.skipsInitial) cursor.skip(list);
      else
        for (const step of cursor.compare(list)) {
          yield step.change;
          cursor.commit(step);
        }
      await runtime.sleep(untilNext(), signal);
    }
  }

  /** Reports the error of a poll, and returns the milliseconds until the next one. Throws the error if it ends the watch. */
  async #pauseAfter(error: AnyMemoryApiError, interval: number, signal: AbortSignal): Promise<number> {
    const { settings } = this.#source.state();
    const { maxRetryAfter = settings.maxRetryAfter ?? LONGEST_POLL_PAUSE } = this.#options();
    const isFatal = !isTransient(error);
    this.#failures += 1;
    if (isFatal) this.#fatalFailures += 1;
    const pause = isFatal ? watchPause(interval, this.#fatalFailures) : interval;
    const nextDelay = pauseFor(pause, Math.min(retryAfterOf(error), maxRetryAfter), runtime.random);
    const isContinued = this.#report(error, { isFatal, failures: this.#failures, nextDelay });
    if (isFatal && (!(await rejectOnAbort(isContinued, signal)) || this.#fatalFailures === MAXIMUM_WATCH_FAILURES))
      throw error;
    return nextDelay;
  }

  /** Reports the memories that were left out of a list, unless they were left out of the one before. */
  #reportBroken(list: readonly ListedMemory[], untilNext: () => number): void {
    // The watch reads its lists itself, so they have facts.
    const { items, createError } = factsOf(list) as ResponseFacts;
    const fresh = items.filter(({ memoryId }) => !this.#broken.has(memoryId));
    this.#broken = new Set(items.map(({ memoryId }) => memoryId));
    if (fresh.length > 0)
      void this.#report(createError(fresh), { isFatal: false, failures: 0, nextDelay: untilNext() });
  }

  /** Calls `onError`, and returns whether the watch continues after a fatal error. */
  async #report(error: AnyMemoryApiError, event: WatchErrorEvent): Promise<boolean> {
    try {
      return (await this.#options().onError?.(error, event)) === 'continue' && error.code !== 'configuration';
    } catch {
      return false;
    }
  }

  #openCursor(): WatchCursor {
    const { initial, state = createWatchState(initial) } = this.#options();
    this.#cursor ??= new WatchCursor(state, this.#source.state().settings.baseUrl);
    return this.#cursor;
  }
}

async function refuseIteration(): Promise<never> {
  throw new ConfigurationError(
    'Failed to iterate over the watch: it is already being iterated. Start another watch with its state.',
  );
}
