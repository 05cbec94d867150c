/**
 * Returns a function that always runs in the asynchronous context of the current caller, such as the store of its
 * `AsyncLocalStorage`.
 *
 * Not every runtime can store a context, but in all of them an `await` resumes in its own.
 */
export function bindCallerContext<Arguments extends unknown[], Result>(
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
