/** Calls an observer of the user's; one that throws must not change an answer. */
export function quietly(observe: () => void): void {
  try {
    observe();
  } catch {}
}

/** What every option named `onError` is when it is left out: a 500 without any trace would help nobody. */
export function printError(error: unknown): void {
  console.error(error);
}
