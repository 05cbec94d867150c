/** Runs a task for each item, a few at a time, and yields each result as it comes. */
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
    // Each gives back how to end itself, because two may be done by the time that one is taken.
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
