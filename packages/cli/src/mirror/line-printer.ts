import type { CliProcess } from '../terminal/cli-process.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { print } from '../terminal/print.ts';

/** Prints lines of JSON in their order, although their events do not wait. */
export class LinePrinter {
  readonly #process: CliProcess;
  readonly #signal: AbortSignal;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(process: CliProcess, signal: AbortSignal) {
    this.#process = process;
    this.#signal = signal;
  }

  print(value: unknown): void {
    this.#last = this.#last.then(async () => {
      if (this.#failure) return;
      try {
        await print(this.#process, jsonLine(value), this.#signal);
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
