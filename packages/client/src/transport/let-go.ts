/** Cancels what a `fetch` of the caller may have made by itself: whether that is done or fails, nothing depends on it. */
export function letGo(cancel: () => unknown): void {
  (async () => cancel())().catch(() => {});
}
