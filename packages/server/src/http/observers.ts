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

/** Passes an error of a request on, unless the error is the abort of the request, which is not a failure. */
export function reportFailure(error: unknown, { signal }: Request, report: () => unknown): void {
  if (signal.aborted && error === signal.reason) return;
  callObserver(report);
}
