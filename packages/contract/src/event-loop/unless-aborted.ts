/** Returns the result of `promise`, or rejects with the reason of `signal` as soon as it aborts. Leaves no listener. */
export function unlessAborted<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}
