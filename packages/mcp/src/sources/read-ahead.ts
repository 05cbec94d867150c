/** Options of {@link readAhead}. */
export interface ReadAheadOptions<Item, Result> {
  /** Whether reading an item sends no request. */
  isCached: (item: Item) => boolean;
  read: (item: Item) => Promise<Result>;
  /** Maximum number of requests in all. */
  requests: number;
  /** Maximum number of requests in flight. */
  concurrency: number;
}

/**
 * Returns a function that reads items in order, and starts the requests of the following ones.
 *
 * When `requests` are used up, it returns undefined for the next item that needs one.
 */
export function readAhead<Item, Result>(
  items: readonly Item[],
  { isCached, read, requests, concurrency }: ReadAheadOptions<Item, Result>,
): { next: (index: number) => Promise<Result> | undefined } {
  const started = new Map<number, Promise<Result>>();
  let used = 0;
  let following = 0;

  const startNext = () => {
    const item = items[following] as Item;
    if (!isCached(item)) {
      if (used === requests) return false;
      used += 1;
    }
    const reading = read(item);
    // A search can end before it uses this result, whose rejection would then be unhandled.
    reading.catch(() => {});
    started.set(following, reading);
    following += 1;
    return true;
  };

  return {
    next: (index) => {
      while (following < items.length && following < index + Math.max(1, concurrency)) if (!startNext()) break;
      return started.get(index);
    },
  };
}
