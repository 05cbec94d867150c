/** Connections to the primary for reads that no replica answers. They limit the reads that use it at once. */
export interface FallbackConnections {
  /** Takes a connection if one is free. Returns whether it did. */
  takeFree(): boolean;
  /**
   * Takes a connection, first come first served. Resolves to `false` if none was free for 5 s, or if there are none at
   * all. Rejects if the signal aborts during the wait.
   */
  take(signal: AbortSignal | undefined): Promise<boolean>;
  /** Gives a connection back, to the read that has waited for longest. */
  giveBack(): void;
}

/** Maximum time that a read waits for a connection, in milliseconds. */
export const longestWaitMs = 5_000;

export function createFallbackConnections(size: number): FallbackConnections {
  let free = size;
  const waiting = new Set<() => void>();
  const takeFree = () => {
    if (free === 0) return false;
    free -= 1;
    return true;
  };
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve, reject) => {
      const leave = () => {
        waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const start = () => {
        leave();
        resolve(true);
      };
      const onAbort = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leave();
        resolve(false);
      }, longestWaitMs);
      signal?.addEventListener('abort', onAbort);
      waiting.add(start);
    });
  return {
    takeFree,
    take: async (signal) => takeFree() || (size > 0 && wait(signal)),
    giveBack() {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    },
  };
}
