import type { ListedMemory } from '@memory-read/contract';
import { bindCallerContext } from '../caller-context.ts';
import { OptionChecks } from '../configuration/option-checks.ts';
import { namesOf, pollNames } from '../configuration/option-names.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import {
  isTransient,
  LONGEST_POLL_PAUSE,
  MAXIMUM_WATCH_FAILURES,
  pauseFor,
  watchPause,
} from '../policy/failure-policy.ts';
import { retryAfterOf } from '../transport/retry-after.ts';
import { throwIfAborted } from '../transport/runtime.ts';
import { leftOutOf } from '../validation/left-out.ts';
import { abortableGenerator } from './abortable-generator.ts';
import type { PollSource } from './poll-source.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { MemoryChange, MemoryWatch, WatchErrorEvent, WatchOptions } from './watch-options.ts';
import { createWatchState, type WatchState } from './watch-state.ts';

const action = 'watch memories';
const watchNames = namesOf('watchMemories');

/** Polls the list and yields what has changed. */
export class ListWatch implements MemoryWatch {
  readonly #source: PollSource;
  readonly #options: WatchOptions;
  readonly #changes: AsyncGenerator<MemoryChange, void, void>;
  #cursor: WatchCursor | undefined;
  #isIterated = false;

  constructor(source: PollSource, options: WatchOptions) {
    // All polls of a watch run in the asynchronous context of the caller that created it.
    this.#source = { ...source, listMemories: bindCallerContext(source.listMemories) };
    this.#options = options;
    this.#changes = abortableGenerator(action, options, (signal) => this.#watch(signal), source.site);
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
    const { listMemories, maxRetryAfter: clientMaximum, runtime } = this.#source;
    const { interval = 30_000, initial = 'emit', state, onError, ...requestOptions } = this.#options;
    const check = new OptionChecks(action);
    check.names(this.#options, [...pollNames, ...watchNames]);
    check.values(this.#options, watchNames);
    const maxRetryAfter = requestOptions.maxRetryAfter ?? clientMaximum ?? LONGEST_POLL_PAUSE;
    const cursor = this.#openCursor();
    let failures = 0;
    let fatalFailures = 0;
    let broken: ReadonlySet<string | undefined> = new Set();
    for (;;) {
      const startedAt = runtime.uptime();
      let list: ListedMemory[];
      try {
        list = await listMemories({ ...requestOptions, signal, retries: 0, totalTimeout: false });
      } catch (error) {
        if (signal.aborted || !isMemoryApiError(error)) throw error;
        failures += 1;
        const isFatal = !isTransient(error);
        if (isFatal) fatalFailures += 1;
        const pause = isFatal ? watchPause(interval, fatalFailures) : interval;
        const nextDelay = pauseFor(pause, Math.min(retryAfterOf(error), maxRetryAfter), runtime.random);
        const isContinued = this.#report(error, { isFatal, failures, nextDelay });
        if (isFatal && (!(await isContinued) || fatalFailures === MAXIMUM_WATCH_FAILURES)) throw error;
        throwIfAborted(signal);
        await runtime.sleep(nextDelay, signal);
        continue;
      }
      failures = 0;
      fatalFailures = 0;
      const nextDelay = () => Math.max(0, startedAt + interval - runtime.uptime());
      const leftOut = leftOutOf(list);
      const newlyBroken = leftOut?.items.filter(({ memoryId }) => !broken.has(memoryId)) ?? [];
      if (leftOut && newlyBroken.length > 0) {
        void this.#report(leftOut.createError(newlyBroken), { isFatal: false, failures, nextDelay: nextDelay() });
      }
      broken = new Set(leftOut?.items.map(({ memoryId }) => memoryId));
      throwIfAborted(signal);
      for (const step of cursor.compare(list)) {
        if (!cursor.skipsInitial) yield step.change;
        cursor.commit(step);
      }
      if (cursor.skipsInitial) cursor.endInitialPoll();
      await runtime.sleep(nextDelay(), signal);
    }
  }

  /** Calls `onError`, and returns whether the watch continues after a fatal error. */
  async #report(error: AnyMemoryApiError, event: WatchErrorEvent): Promise<boolean> {
    try {
      return (await this.#options.onError?.(error, event)) === 'continue' && error.code !== 'configuration';
    } catch {
      return false;
    }
  }

  #openCursor(): WatchCursor {
    const { initial, state = createWatchState(initial) } = this.#options ?? {};
    this.#cursor ??= new WatchCursor(state, this.#source.baseUrl);
    return this.#cursor;
  }
}

async function refuseIteration(): Promise<never> {
  throw new ConfigurationError(
    'Failed to iterate over the watch: it is already being iterated. Start another watch with its state.',
  );
}
