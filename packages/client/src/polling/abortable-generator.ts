import { checkOptions, checkSignal } from '../configuration/option-checks.ts';
import { type LinkedSignal, linkSignal } from '../transport/link-signal.ts';

interface EndableOptions {
  readonly signal?: AbortSignal | undefined;
}

type Generate<Value> = (signal: AbortSignal) => AsyncGenerator<Value, void, void>;

/**
 * A generator whose `return()` does not wait for what it is at: that is aborted, and a pending `next()` is done.
 *
 * It begins with the first `next()`: before that it listens to no signal and refuses no options.
 */
export function endable<Value>(options: EndableOptions, generate: Generate<Value>): AsyncGenerator<Value, void, void> {
  let link: LinkedSignal | undefined;
  const generator = (async function* () {
    link = linkSignal(checkSignal(checkOptions(options).signal));
    try {
      yield* generate(link.signal);
    } finally {
      link.abort();
    }
  })();
  const proceed = generator.next.bind(generator);
  const finish = generator.return.bind(generator);
  let isEnded = false;
  return Object.assign(generator, {
    // The generator goes on before anything is awaited: to call this means that the value before was taken.
    async next(): Promise<IteratorResult<Value, void>> {
      try {
        const result = await proceed();
        if (!isEnded) return result;
      } catch (error) {
        if (!isEnded) throw error;
      }
      return { done: true, value: undefined };
    },
    return() {
      isEnded = true;
      link?.abort();
      return finish();
    },
  });
}
