import type { MemorySource } from '../sources/memory-source.ts';

/** Runs a read when it is its turn. A read that is aborted while it waits does not run. */
export type LimitReads = <Value>(run: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;

const MOST_READS = 16;
const limits = new WeakMap<MemorySource, LimitReads>();

/**
 * Returns the limit of a source: 16 reads at a time, the others in the order of their calls. All servers over the source
 * share it, because HTTP creates one for each request.
 */
export function limitOf(source: MemorySource): LimitReads {
  const limit = limits.get(source) ?? createLimit(MOST_READS);
  limits.set(source, limit);
  return limit;
}

function createLimit(most: number): LimitReads {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(start);
    });
  return async (run, signal) => {
    signal.throwIfAborted();
    if (running === most) await turn(signal);
    else running += 1;
    try {
      return await run();
    } finally {
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
