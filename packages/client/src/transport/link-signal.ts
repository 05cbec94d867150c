/** A signal that is aborted with another, also one of another realm, after a time, or by itself. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Returns the result of work that may ignore the signal; rejects with the signal's reason as soon as it is aborted. */
  race<Value>(work: Promise<Value>): Promise<Value>;
  /** Removes timer and listener without an abort, which would be a good part of the cost of a call. */
  release(): void;
  /** Removes timer and listener, and aborts the signal. */
  abort(reason?: unknown): void;
}

// Shared reasons, because capturing a stack trace for each abort is slow. Hermes has no DOMException.
const defaultReason = Object.assign(new Error(), { name: 'AbortError' });

/** The reason of a signal whose time has passed. */
export const timeoutReason = Object.assign(new Error(), { name: 'TimeoutError' });

export function linkSignal(parent: AbortSignal | undefined, milliseconds: number | false = false): LinkedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let rejectRace = (_reason: unknown) => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    rejectRace = reject;
  });
  aborted.catch(() => {});
  const abort = (reason: unknown = defaultReason) => {
    release();
    controller.abort(reason);
    rejectRace(signal.reason);
  };
  const follow = () => abort(parent?.reason);
  const release = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', follow);
  };
  const timer = milliseconds === false ? undefined : setTimeout(abort, milliseconds, timeoutReason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow);
  return { signal, race: (work) => Promise.race([work, aborted]), release, abort };
}
