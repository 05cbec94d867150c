/** Calls an observer of the user's; one that throws, or rejects later, must not change an answer nor end the process. */
export function callObserver(observe: () => unknown): void {
  try {
    const observed = observe();
    if (typeof observed === 'object') Promise.resolve(observed).catch(() => {});
  } catch {}
}

/** What every option named `onError` is when it is left out: a 500 without any trace would help nobody. */
export function printError(error: unknown): void {
  console.error(error);
}
