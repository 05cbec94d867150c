/** Does something with each item, some at a time. The first failure ends the others, and is thrown once all have ended. */
export async function inParallel<Item>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const queue = items.values();
  const worker = async () => {
    try {
      for (const item of queue) {
        either.throwIfAborted();
        await work(item, either);
      }
    } catch (error) {
      failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  either.throwIfAborted();
}
