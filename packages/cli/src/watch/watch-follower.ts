import type { MemoryChange, MemoryWatch, WatchState } from '@memory-read/client';

/** What is done with the changes of a watch. */
export interface FollowOptions {
  /** Prints the changes of one look, and tells whether anybody reads on. */
  print(changes: readonly MemoryChange[]): Promise<boolean>;
  /** Stores the state that covers all that was printed, and nothing else. */
  save(state: WatchState): void;
}

/**
 * Prints the changes of each look together, and then stores the state once. What ends the process in between has the
 * changes of that one look told again, and loses none.
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

  /** Resolves once nobody reads on. */
  async follow(): Promise<void> {
    try {
      // A place that cannot be written to shows before the first look.
      this.#saveNew();
      for await (const changes of this.#looks()) {
        if (!(await this.#options.print(changes))) return;
        this.#saveNew();
        this.#isAhead = false;
      }
      if (this.#failure) throw this.#failure.error;
    } finally {
      await this.#watch.close();
    }
  }

  /** To be called after each look: the state of one without changes may be new as well. */
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

  /** The changes, those of one look together. */
  async *#looks(): AsyncGenerator<MemoryChange[], void, void> {
    const changes = this.#watch[Symbol.asyncIterator]();
    const goOn = () => {
      const next = changes.next();
      // What it fails with is thrown once the changes before are printed.
      next.catch(() => {});
      return next;
    };
    let next = goOn();
    for (let first = await next; !first.done; first = await next) {
      const look = [first.value];
      this.#isAhead = true;
      next = goOn();
      for (let more = await atOnce(next); more; more = await atOnce(next)) {
        look.push(more);
        next = goOn();
      }
      yield look;
    }
  }
}

/** The next change, where the look that found the one before found it too: then it is there without any waiting. */
async function atOnce(next: Promise<IteratorResult<MemoryChange, void>>): Promise<MemoryChange | undefined> {
  const later = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  const result = await Promise.race([next.catch(() => undefined), later]);
  return result?.done === false ? result.value : undefined;
}
