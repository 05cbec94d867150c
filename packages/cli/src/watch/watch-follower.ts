import type { MemoryChange, MemoryWatch, WatchState } from '@memory-read/client';

/** Output of the changes of a watch. */
export interface FollowOptions {
  /** Prints the changes of one poll. Returns false once the output is closed. */
  print(changes: readonly MemoryChange[]): Promise<boolean>;
  /** Stores the state that covers exactly the printed changes. */
  save(state: WatchState): void;
}

/**
 * Prints the changes of each poll together, and then stores the state once. If the process ends in between, the next
 * watch prints the changes of that poll again, and loses none.
 */
export class WatchFollower {
  readonly #watch: MemoryWatch;
  readonly #options: FollowOptions;
  #saved: WatchState | undefined;
  /** Whether the state covers changes that are not printed yet. */
  #isAhead = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(watch: MemoryWatch, options: FollowOptions) {
    this.#watch = watch;
    this.#options = options;
  }

  /** Resolves once the output is closed. */
  async follow(): Promise<void> {
    try {
      // A file that cannot be written fails here, before the first poll.
      this.#saveNew();
      for await (const changes of this.#polls()) {
        if (!(await this.#options.print(changes))) return;
        this.#saveNew();
        this.#isAhead = false;
      }
      if (this.#failure) throw this.#failure.error;
    } finally {
      await this.#watch.close();
    }
  }

  /** Must be called after each poll, because a poll without changes can change the state too. */
  saveIfIdle(): void {
    if (this.#isAhead || this.#failure) return;
    try {
      this.#saveNew();
    } catch (error) {
      this.#failure = { error };
      void this.#watch.close();
    }
  }

  #saveNew(): void {
    const { state } = this.#watch;
    if (state !== this.#saved) this.#options.save(state);
    this.#saved = state;
  }

  /** Yields the changes of each poll as one array. */
  async *#polls(): AsyncGenerator<MemoryChange[], void, void> {
    const changes = this.#watch[Symbol.asyncIterator]();
    const requestNext = () => {
      const next = changes.next();
      // A failure is thrown after the changes before it are printed.
      next.catch(() => {});
      return next;
    };
    let next = requestNext();
    for (let first = await next; !first.done; first = await next) {
      const poll = [first.value];
      this.#isAhead = true;
      next = requestNext();
      for (let more = await nextIfReady(next); more; more = await nextIfReady(next)) {
        poll.push(more);
        next = requestNext();
      }
      yield poll;
    }
  }
}

/** Returns the next change if the same poll found it: then the promise is already settled. */
async function nextIfReady(next: Promise<IteratorResult<MemoryChange, void>>): Promise<MemoryChange | undefined> {
  const later = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  const result = await Promise.race([next.catch(() => undefined), later]);
  return result?.done === false ? result.value : undefined;
}
