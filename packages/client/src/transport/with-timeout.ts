import { linkSignal } from './link-signal.ts';
import { type Runtime, rejectOnAbort } from './runtime.ts';

/** How long to wait, and what aborts the wait. */
export interface TimeoutOptions {
  readonly runtime: Runtime;
  readonly signal: AbortSignal | undefined;
  readonly milliseconds: number | false;
}

/** Returned if the time has passed. */
export const timedOut = Symbol('timedOut');

/** Returns the result of the promise, or `timedOut`; rejects with the signal's reason as soon as it is aborted. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  timeoutOptions: TimeoutOptions,
): Promise<Value | typeof timedOut> {
  const { runtime, signal, milliseconds } = timeoutOptions;
  if (milliseconds === false) return rejectOnAbort(promise, signal);
  const timer = linkSignal(signal);
  try {
    return await Promise.race([
      promise,
      runtime.sleep(milliseconds, timer.signal).then((): typeof timedOut => timedOut),
    ]);
  } finally {
    timer.abort();
  }
}
