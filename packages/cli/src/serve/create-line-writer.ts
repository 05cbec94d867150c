import type { Writable } from 'node:stream';

/** Writes lines without blocking its callers. */
export interface LineWriter {
  write(line: string): void;
  /** Resolves after all lines are written, or after one second. */
  drain(): Promise<void>;
}

interface LineWriterOptions {
  /** Maximum number of buffered characters. Further lines are dropped. */
  limit?: number | undefined;
  /** Returns the line that replaces dropped lines. */
  describeGap: (lines: number) => string;
}

const drainTimeoutMs = 1_000;

/**
 * Writes the lines of one turn of the event loop together. If a pipe is not read, lines are dropped, so that neither
 * memory nor requests suffer. Their number is written once there is room.
 */
export function createLineWriter(stream: Writable, options: LineWriterOptions): LineWriter {
  const { limit = 1024 * 1024, describeGap } = options;
  let waiting = '';
  let leftOut = 0;
  let isBusy = false;
  let whenDrained: (() => void) | undefined;

  function flush(): void {
    if (leftOut > 0) waiting += `${describeGap(leftOut)}\n`;
    leftOut = 0;
    const text = waiting;
    waiting = '';
    isBusy = text !== '';
    if (isBusy) stream.write(text, flush);
    else whenDrained?.();
  }

  return {
    write(line) {
      if (waiting.length > limit) {
        leftOut += 1;
        return;
      }
      waiting += `${line}\n`;
      if (isBusy) return;
      isBusy = true;
      setImmediate(flush);
    },
    drain() {
      if (!isBusy) return Promise.resolve();
      return new Promise((resolve) => {
        whenDrained = resolve;
        setTimeout(resolve, drainTimeoutMs).unref();
      });
    },
  };
}
