import type { ListedMemory } from '@memory-read/contract';
import { bindCallerContext } from '../caller-context.ts';
import type { RequestOptions } from '../client-options.ts';
import { OptionChecks } from '../configuration/option-checks.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { notify } from '../notify.ts';
import { abortableGenerator } from './abortable-generator.ts';
import type { PollSource } from './poll-source.ts';
import { toTransientError } from './transient-error.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { MemoryChange, MemoryWatch, WatchOptions } from './watch-options.ts';
import { createWatchState, type WatchState } from './watch-state.ts';

const action = 'watch memories';

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
    this.#changes = abortableGenerator(action, options, (signal) => this.#watch(signal));
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
    const { uptime, sleep } = this.#source.runtime;
    const { interval = 30_000, initial = 'emit', state, onError, ...requestOptions } = this.#options;
    const check = new OptionChecks(action);
    check.names(this.#options, ['interval', 'initial', 'state', 'onError']);
    check.interval('interval', interval);
    check.choice('initial', initial, ['emit', 'skip']);
    check.function('onError', onError);
    const cursor = this.#openCursor();
    for (;;) {
      const startedAt = uptime();
      const { list, retryAfter } = await this.#poll({ ...requestOptions, signal, retries: 0, totalTimeout: false });
      const dueAt = Math.max(startedAt + interval, uptime() + retryAfter);
      for (const step of list ? cursor.compare(list) : []) {
        if (!cursor.skipsInitial) yield step.change;
        cursor.commit(step);
      }
      if (list && cursor.skipsInitial) cursor.endInitialPoll();
      await sleep(Math.max(0, dueAt - uptime()), signal);
    }
  }

  /** Returns the list; without one after a transient error, which must never read as an empty list. */
  async #poll(options: RequestOptions): Promise<{ list?: ListedMemory[]; retryAfter: number }> {
    try {
      return { list: await this.#source.listMemories(options), retryAfter: 0 };
    } catch (error) {
      const transient = toTransientError(error);
      if (transient === undefined) throw error;
      notify(this.#options.onError, transient.error);
      return transient;
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
