/** Time and chance, passed in so that tests decide both. */
export interface Runtime {
  /** The local time, to compare with a server's. */
  now(): Date;
  /** Milliseconds of a clock that never jumps, to measure durations. */
  uptime(): number;
  /** From 0, below 1. */
  random(): number;
  /** Resolves after a delay; rejects with the signal's reason, and then leaves neither timer nor listener. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The globals of whichever runtime this is, looked up when used. */
export const globalRuntime: Runtime = {
  now: () => new Date(),
  uptime: () => performance.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) => {
    let timer: ReturnType<typeof setTimeout>;
    const wake = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    return rejectOnAbort(wake, signal).finally(() => clearTimeout(timer));
  },
};

/** Throws the reason of a signal that is aborted; those of other realms may not know how to. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** The promise, or the signal's reason where that comes first; its listener goes with whichever ends it. */
export function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });
}
