/**
 * The same function, which runs later as if it were called now: what an `AsyncLocalStorage` holds for the caller of now
 * is there for it, whoever calls.
 *
 * Not every runtime lets contexts be stored, but all let an `await` go on in that in which it began.
 */
export function inContextOfNow<Arguments extends unknown[], Result>(
  call: (...parameters: Arguments) => Promise<Result>,
): (...parameters: Arguments) => Promise<Result> {
  const tasks: (() => void)[] = [];
  let wake = () => {};
  const work = async () => {
    for (;;) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      while (tasks.length > 0) tasks.shift()?.();
    }
  };
  void work();
  return (...parameters) =>
    new Promise((resolve, reject) => {
      tasks.push(() => call(...parameters).then(resolve, reject));
      wake();
    });
}
