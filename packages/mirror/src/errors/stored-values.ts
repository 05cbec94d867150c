import { types } from 'node:util';

const ofCallers = new WeakSet<object>();

/** Calls a function of the caller, such as one of a client. What it throws says nothing about the mirror. */
export function ofCaller<Result>(call: () => Result): Result {
  const note = (error: unknown): never => {
    if (types.isNativeError(error)) ofCallers.add(error);
    throw error;
  };
  try {
    const result = call();
    return result instanceof Promise ? (result.catch(note) as Result) : result;
  } catch (error) {
    return note(error);
  }
}

/**
 * Returns whether an error is that of a value which only another program can have stored.
 *
 * Examples are a number that JavaScript lacks, a path with a NUL, and a value of another type.
 */
export function isOfStoredValue(error: unknown): error is Error {
  return types.isNativeError(error) && ['TypeError', 'RangeError'].includes(error.name) && !ofCallers.has(error);
}

/** Returns where an error was thrown. Its message can quote what is stored. */
export function withoutMessage({ name, message, stack = '' }: Error): Error {
  const error = new Error(`Failed to read what is stored: it causes a ${name}. Restore it from a backup.`);
  error.stack = stack.replace(message, () => '');
  return error;
}
