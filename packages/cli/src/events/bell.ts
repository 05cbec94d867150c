import { unlessAborted } from '@memory-read/contract/event-loop';

/** Lets a loop wait until a time has passed, or until another loop rings. */
export class Bell {
  #hasRung = false;
  #wake = () => {};

  ring(): void {
    this.#hasRung = true;
    this.#wake();
  }

  /** @throws the reason of the signal. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, this.#hasRung ? 0 : Math.max(0, milliseconds));
    });
    try {
      await unlessAborted(woken, signal);
    } finally {
      clearTimeout(timer);
      this.#hasRung = false;
    }
  }
}
