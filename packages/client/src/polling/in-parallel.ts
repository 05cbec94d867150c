/** Runs a task for each item with a limited concurrency, and yields each result when it is ready. */
export async function* inParallel<Item, Result>(
  items: Iterable<Item>,
  width: number,
  run: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const waiting = items[Symbol.iterator]();
  const running = new Set<Promise<() => Result>>();
  const start = () => {
    const { done, value } = waiting.next();
    if (done) return false;
    // A task removes itself when its result is taken, because two may be ready at that time.
    const task: Promise<() => Result> = run(value).then((result) => () => {
      running.delete(task);
      return result;
    });
    running.add(task);
    return true;
  };
  do {
    while (running.size < width && start());
    if (running.size > 0) yield (await Promise.race(running))();
  } while (running.size > 0);
}
