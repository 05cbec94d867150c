import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Processes the items in parallel. The first failure aborts the others, and is thrown after all have settled. */
export async function inParallel<Item>(
  items: readonly Item[],
  { concurrency, signal }: { concurrency: number; signal: AbortSignal | undefined },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const either = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const queue = items.values();
  const worker = async () => {
    try {
      for (const item of queue) {
        await yieldToEventLoop();
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
