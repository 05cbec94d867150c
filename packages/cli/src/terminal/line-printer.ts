import type { CliProcess } from './cli-process.ts';
import { print } from './print.ts';

/** Milliseconds that a line has after an interruption: a reader that stalls must not keep the process. */
const LAST_LINES = 1_000;

/** Prints lines in their order, although their events do not wait. */
export class LinePrinter {
  readonly #process: CliProcess;
  readonly #signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(process: CliProcess, signal: AbortSignal) {
    this.#process = process;
    this.#signal = signal;
  }

  /** Prints a line after those before it. `prepare` is called at that time. */
  print(text: string, prepare?: () => void): Promise<void> {
    this.#last = this.#last.then(async () => {
      if (this.#failure) return;
      const { aborted } = this.#signal;
      try {
        prepare?.();
        await print(this.#process, text, aborted ? AbortSignal.timeout(LAST_LINES) : this.#signal);
      } catch (error) {
        this.#failure = { error: aborted ? this.#signal.reason : error };
      }
    });
    return this.#last;
  }

  /** Waits until all lines are written. @throws the failure of the first line that could not be written. */
  async finish(): Promise<void> {
    await this.#last;
    if (this.#failure) throw this.#failure.error;
  }
}
