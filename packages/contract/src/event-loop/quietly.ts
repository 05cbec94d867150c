/** Runs what must not fail its caller, such as a listener of the user. Its errors and rejections are ignored. */
export function quietly(work: () => unknown): void {
  (async () => work())().catch(() => {});
}
