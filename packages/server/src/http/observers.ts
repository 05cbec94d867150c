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

/** Passes an error of a request on, unless the caller has aborted the request: drivers then reject with errors of their own. */
export function reportFailure({ signal }: Request, report: () => unknown): void {
  if (!signal.aborted) callObserver(report);
}
