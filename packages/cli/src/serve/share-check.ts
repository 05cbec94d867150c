/** How long a success counts, in milliseconds. */
const freshMs = 1_000;

/**
 * Returns a check that runs at most once at a time, and whose success counts for a second.
 *
 * So any number of callers cause little load. A failure is not cached, so that a recovery is visible at once.
 */
export function shareCheck(check: () => Promise<unknown>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let succeededAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    try {
      await check();
      succeededAt = performance.now();
    } finally {
      current = undefined;
    }
  }

  return async () => {
    if (performance.now() - succeededAt < freshMs) return;
    current ??= run();
    await current;
  };
}
