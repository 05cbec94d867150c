import { isMemoryApiError } from './errors/is-memory-api-error.ts';
import { brand } from './errors/recognize-error.ts';

/**
 * Where a method was called: `new Error()` at its beginning.
 *
 * Its `stack` is formatted only if the call fails, because that is slow. The frames of the caller are lost wherever a
 * promise is raced with a signal or goes through a queue.
 */
export type CallSite = Error;

/**
 * Gives an error of this package the frames of the call site. Returns the value. A copy, which an apiKey function can
 * reject with, stays as it is.
 */
export function locate<Value>(value: Value, { stack }: CallSite): Value {
  // Some engines put the message before the frames, others only frames such as `f@file:1:2`.
  if (isMemoryApiError(value) && brand in value && typeof stack === 'string')
    value.stack = stack.replace(/^[^@\n]*(?=\n|$)/, () => String(value));
  return value;
}

/** Returns the promise, whose errors have the frames of the call site. */
export function located<Value>(promise: Promise<Value>, site: CallSite): Promise<Value> {
  return promise.catch((error) => {
    throw locate(error, site);
  });
}
