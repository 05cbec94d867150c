import type { CliProcess } from './cli-process.ts';
import { print } from './print.ts';

/** Prints lines in their order, although their events do not wait. */
export class LinePrinter {
  readonly #process: CliProcess;
  readonly #signal: AbortSignal;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(process: CliProcess, signal: AbortSignal) {
    this.#process = process;
    this.#signal = signal;
  }

  print(text: string): void {
    this.#last = this.#last.then(async () => {
      if (this.#failure) return;
      try {
        await print(this.#process, text, this.#signal);
      } catch (error) {
        this.#failure = { error };
      }
    });
  }

  /** Waits until all lines are written. @throws the failure of the first line that could not be written. */
  async finish(): Promise<void> {
    await this.#last;
    if (this.#failure) throw this.#failure.error;
  }
}
