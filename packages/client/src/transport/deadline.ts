import { systemClock } from '@memory-read/contract/date-time';
import type { CallSettings } from '../configuration/client-settings.ts';
import type { TimeoutLimit } from '../errors/errors.ts';

/** Clock and randomness in one object, so that tests control both. The globals are looked up at each use. */
export const runtime = {
  /** Returns the local time, to compare with a server's. */
  now: systemClock.now,
  /** Returns the milliseconds of a clock that never jumps, to measure durations. */
  uptime: () => performance.now(),
  /** Returns a random number from 0, below 1. */
  random: () => Math.random(),
  /** Resolves after a delay; rejects with the signal's reason. It leaves neither timer nor listener. */
  sleep: (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
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

// Shared reasons, because capturing a stack trace for each abort is slow. Hermes has no DOMException.
const defaultReason = Object.assign(new Error(), { name: 'AbortError' });

/** The reason of a signal whose time has passed. */
export const timeoutReason = Object.assign(new Error(), { name: 'TimeoutError' });

/** A signal that is aborted with another, also one of another realm, after a time, or by itself. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /**
   * Returns the result of work that may ignore the signal; rejects with the signal's reason as soon as it is aborted. An
   * abort ends the last race only.
   */
  race<Value>(work: Promise<Value>): Promise<Value>;
  /** Removes timer and listener without an abort, which would be a good part of the cost of a call. */
  release(): void;
  /** Removes timer and listener, and aborts the signal. */
  abort(reason?: unknown): void;
}

export function linkSignal(parent: AbortSignal | undefined, milliseconds: number | false = false): LinkedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let rejectRace = (_reason: unknown) => {};
  // Work that ends at the same time takes precedence.
  const endRace = (reject = rejectRace) => void Promise.resolve().then(() => reject(signal.reason));
  const release = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', follow);
  };
  const abort = (reason: unknown = defaultReason) => {
    release();
    controller.abort(reason);
    endRace();
  };
  const follow = () => abort(parent?.reason);
  const race = <Value>(work: Promise<Value>) =>
    new Promise<Value>((resolve, reject) => {
      rejectRace = reject;
      work.then(resolve, reject);
      if (signal.aborted) endRace();
    });
  const timer = milliseconds === false ? undefined : setTimeout(abort, milliseconds, timeoutReason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow);
  return { signal, race, release, abort };
}

/** Returns the result of the promise; rejects with the signal's reason as soon as it is aborted. Leaves no listener. */
export function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { race, release } = linkSignal(signal);
  return race(promise).finally(release);
}

/** Returned if the time has passed. */
export const timedOut = Symbol('timedOut');

/** Returns the result of the promise, or `timedOut`; rejects with the signal's reason as soon as it is aborted. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  milliseconds: number | false,
  signal: AbortSignal | undefined,
): Promise<Value | typeof timedOut> {
  if (milliseconds === false) return rejectOnAbort(promise, signal);
  const timer = linkSignal(signal);
  try {
    const pause = runtime.sleep(milliseconds, timer.signal);
    return await Promise.race([promise, pause.then((): typeof timedOut => timedOut)]);
  } finally {
    timer.abort();
  }
}

/** A timeout that has expired. */
export interface ExpiredTimeout {
  readonly limit: TimeoutLimit;
  /** The value of the option. */
  readonly timeoutMs: number;
  /** Whether the time passed before the apiKey function returned a key. */
  readonly isKeyPending?: boolean | undefined;
}

/** What limits the time of a call, and when it began by the runtime's uptime. */
export interface TimedCall {
  readonly settings: Pick<CallSettings, 'timeout' | 'totalTimeout'>;
  readonly startedAt: number;
}

/** Returns the milliseconds that are left of the total timeout. */
export function remainingTime({ settings: { totalTimeout }, startedAt }: TimedCall): number {
  return totalTimeout === false ? Number.POSITIVE_INFINITY : totalTimeout - (runtime.uptime() - startedAt);
}

/** Returns the shorter of both timeouts, of which the total one began earlier. */
export function timeLimit(call: TimedCall): ExpiredTimeout & { readonly milliseconds: number | false } {
  const { timeout, totalTimeout } = call.settings;
  const left = Math.max(0, remainingTime(call));
  return totalTimeout !== false && (timeout === false || left < timeout)
    ? { limit: 'total', milliseconds: left, timeoutMs: totalTimeout }
    : { limit: 'attempt', milliseconds: timeout, timeoutMs: timeout || 0 };
}

/** Returns the problem and the remedy of a message. */
export function describeTimeout({ limit, timeoutMs, isKeyPending }: ExpiredTimeout, missing: string): string {
  const option = limit === 'total' ? 'totalTimeout' : 'timeout';
  const late = isKeyPending ? 'the apiKey function returned no key' : missing;
  return `${late} within ${Math.ceil(timeoutMs)} ms. Raise ${option} if that is too short.`;
}
