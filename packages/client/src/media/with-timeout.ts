import { linkSignal } from '../transport/link-signal.ts';
import { type Runtime, rejectOnAbort } from '../transport/runtime.ts';

/** How long to wait for something. */
export interface Patience {
  readonly runtime: Runtime;
  readonly signal: AbortSignal | undefined;
  readonly milliseconds: number | false;
}

/** Stands for what did not come in time. */
export const late = Symbol('late');

/** What the promise brings, or `late`; rejects with the signal's reason where that comes first. */
export async function inTime<Value>(promise: Promise<Value>, patience: Patience): Promise<Value | typeof late> {
  const { runtime, signal, milliseconds } = patience;
  if (milliseconds === false) return rejectOnAbort(promise, signal);
  const timer = linkSignal(signal);
  try {
    return await Promise.race([promise, runtime.sleep(milliseconds, timer.signal).then((): typeof late => late)]);
  } finally {
    timer.abort();
  }
}
