import type { ListedMemory } from '@memory-read/contract';
import { inContextOfNow } from '../caller-context.ts';
import type { RequestOptions } from '../client-options.ts';
import { checkChoice, checkFunction, checkInterval, checkNames } from '../configuration/option-checks.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { notify } from '../notify.ts';
import { endable } from './abortable-generator.ts';
import type { PollSource } from './poll-source.ts';
import { tolerate } from './transient-error.ts';
import { WatchCursor } from './watch-cursor.ts';
import type { MemoryChange, MemoryWatch, WatchOptions } from './watch-options.ts';
import { createWatchState, type WatchState } from './watch-state.ts';

/** Looks at the list again and again, and tells what has changed. */
export class ListWatch implements MemoryWatch {
  readonly #source: PollSource;
  readonly #options: WatchOptions;
  readonly #changes: AsyncGenerator<MemoryChange, void, void>;
  #cursor: WatchCursor | undefined;
  #isIterated = false;

  constructor(source: PollSource, options: WatchOptions) {
    // One watch looks as one caller, whoever asks for its changes.
    this.#source = { ...source, listMemories: inContextOfNow(source.listMemories) };
    this.#options = options;
    this.#changes = endable(options, (signal) => this.#watch(signal));
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
    const { interval = 30_000, initial = 'emit', state, onError, ...lookOptions } = this.#options;
    checkNames(this.#options, ['interval', 'initial', 'state', 'onError']);
    checkInterval('interval', interval);
    checkChoice('initial', initial, ['emit', 'skip']);
    checkFunction('onError', onError);
    const cursor = this.#openCursor();
    for (;;) {
      const startedAt = uptime();
      const { list, retryAfter } = await this.#look({ ...lookOptions, signal, retries: 0, totalTimeout: false });
      const dueAt = Math.max(startedAt + interval, uptime() + retryAfter);
      for (const step of list ? cursor.compare(list) : []) {
        if (!cursor.isSilent) yield step.change;
        cursor.take(step);
      }
      if (list && cursor.isSilent) cursor.endSilence();
      await sleep(Math.max(0, dueAt - uptime()), signal);
    }
  }

  /** The list; where the look failed but may succeed later, none: a failure never reads as an empty list. */
  async #look(options: RequestOptions): Promise<{ list?: ListedMemory[]; retryAfter: number }> {
    try {
      return { list: await this.#source.listMemories(options), retryAfter: 0 };
    } catch (error) {
      const setback = tolerate(error);
      if (setback === undefined) throw error;
      notify(this.#options.onError, setback.error);
      return setback;
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
    'Failed to iterate over the watch: because it is iterated already. Begin another watch with its state.',
  );
}
