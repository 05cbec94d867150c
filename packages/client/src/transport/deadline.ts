import type { CallSettings } from '../configuration/client-settings.ts';
import type { TimeoutLimit } from '../errors/errors.ts';

/** Clock and randomness in one object, so that tests control both. The globals are looked up at each use. */
export const runtime = {
  /** Returns the local time, to compare with a server's. */
  now: () => new Date(),
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
export class LinkedSignal {
  readonly signal: AbortSignal;
  readonly #controller: AbortController;
  readonly #parent: AbortSignal | undefined;
  readonly #follow: (() => void) | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(parent: AbortSignal | undefined, milliseconds: number | false = false) {
    this.#controller = new AbortController();
    this.signal = this.#controller.signal;
    this.#parent = parent;
    if (milliseconds !== false)
      this.#timer = setTimeout((link: LinkedSignal) => link.abort(timeoutReason), milliseconds, this);
    if (!parent) return;
    this.#follow = () => this.abort(parent.reason);
    if (parent.aborted) this.#follow();
    else parent.addEventListener('abort', this.#follow);
  }

  /**
   * Returns the result of work that may ignore the signal; rejects with the signal's reason as soon as it is aborted. An
   * abort ends the last race only.
   */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      // Work that ends at the same time takes precedence.
      this.#reject = (reason) => Promise.resolve().then(() => reject(reason));
      work.then(resolve, reject);
      if (this.signal.aborted) this.#reject(this.signal.reason);
    });
  }

  /** Removes timer and listener without an abort, which would be a good part of the cost of a call. */
  release(): void {
    clearTimeout(this.#timer);
    if (this.#follow) this.#parent?.removeEventListener('abort', this.#follow);
  }

  /** Removes timer and listener, and aborts the signal. */
  abort(reason: unknown = defaultReason): void {
    this.release();
    this.#controller.abort(reason);
    this.#reject?.(this.signal.reason);
  }
}

/** Returns the result of the promise; rejects with the signal's reason as soon as it is aborted. Leaves no listener. */
export function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const link = new LinkedSignal(signal);
  return link.race(promise).finally(() => link.release());
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
  const timer = new LinkedSignal(signal);
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
