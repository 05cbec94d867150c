import { linkSignal } from './link-signal.ts';

/** Clock and randomness, passed in so that tests control both. */
export interface Runtime {
  /** Returns the local time, to compare with a server's. */
  now(): Date;
  /** Returns the milliseconds of a clock that never jumps, to measure durations. */
  uptime(): number;
  /** Returns a random number from 0, below 1. */
  random(): number;
  /** Resolves after a delay; rejects with the signal's reason. It leaves neither timer nor listener. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The globals of the current runtime, looked up at each use. */
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

/** Throws the reason of an aborted signal. Signals of other realms may have no `throwIfAborted` method. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Returns the result of the promise; rejects with the signal's reason as soon as it is aborted. Leaves no listener. */
export function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  const { race, release } = linkSignal(signal);
  return race(promise).finally(release);
}
