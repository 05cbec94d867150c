import { type CallSite, locate } from '../call-site.ts';
import { type LinkedSignal, linkSignal } from '../transport/deadline.ts';

interface SignalOptions {
  readonly signal?: AbortSignal | undefined;
}

type Generate<Value> = (signal: AbortSignal) => AsyncGenerator<Value, void, void>;

/**
 * Returns a generator whose `return()` aborts the pending work instead of waiting for it. A pending `next()` then is done.
 *
 * It starts with the first `next()`. Before that it neither listens to the signal nor throws the error of the options.
 */
export function abortableGenerator<Value>(
  options: () => SignalOptions,
  generate: Generate<Value>,
  site: CallSite,
): AsyncGenerator<Value, void, void> {
  let link: LinkedSignal | undefined;
  const generator = (async function* () {
    link = linkSignal(options().signal);
    try {
      yield* generate(link.signal);
    } finally {
      link.abort();
    }
  })();
  const resume = generator.next.bind(generator);
  const finish = generator.return.bind(generator);
  let isEnded = false;
  return Object.assign(generator, {
    // The generator resumes before anything is awaited, because this call means that the last value was handled.
    async next(): Promise<IteratorResult<Value, void>> {
      try {
        const result = await resume();
        if (!isEnded) return result;
      } catch (error) {
        if (!isEnded) throw locate(error, site);
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
