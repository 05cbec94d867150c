import { quietly } from '@memory-read/contract/event-loop';

/** The default of every option named `onError`: it prints the error, so that each 500 leaves a trace. */
export function printError(error: unknown): void {
  console.error(error);
}

/** Passes an error of a request on, unless the caller has aborted the request: drivers then reject with errors of their own. */
export function reportFailure({ signal }: Request, report: () => unknown): void {
  if (!signal.aborted) quietly(report);
}
