/** Calls a callback of the user. If it throws or rejects, neither the response nor the process is affected. */
export function callObserver(observe: () => unknown): void {
  try {
    const observed = observe();
    if (typeof observed === 'object') Promise.resolve(observed).catch(() => {});
  } catch {}
}

/** The default of every option named `onError`: it prints the error, so that each 500 leaves a trace. */
export function printError(error: unknown): void {
  console.error(error);
}

/** Returns a function that passes errors on to `onError`, except the abort of the request, which is not a failure. */
export function createErrorReporter<Context>(
  onError: (error: unknown, context: Context) => void,
  signal: AbortSignal,
  context: Context,
): (error: unknown) => void {
  return (error) => {
    if (signal.aborted && error === signal.reason) return;
    callObserver(() => onError(error, context));
  };
}
