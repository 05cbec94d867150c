import { messageProblem } from '@memory-read/docs-site/message-problem';
import { afterEach } from 'vitest';

// A setup file of all Vitest projects: every error that these packages create while tests run has a message that reads
// `Failed to X: Y. Do Z.` The findings of conformance rules and of test kits are not errors that a user handles, and
// `safeCause` copies the errors of other packages. An interruption is not a failure. The message of a `DeliveryError` is a
// reason, which stands in the message of the delivery.
const checkedSource =
  /\/packages\/(?:cli|client|contract|fixtures|mcp|mirror|msw|server)\/(?:src|dist)\/(?!testing\/|.*\.test\.)/;
const state = Symbol.for('memory-read.message-problems');
// Files of one worker share their globals, so only the first one wraps the classes.
const isFirst = !(state in globalThis);
const problems: Set<string> = Reflect.get(globalThis, state) ?? new Set();
Reflect.set(globalThis, state, problems);

function observe<Class extends abstract new (...args: never[]) => Error>(errorClass: Class): Class {
  return new Proxy(errorClass, {
    construct(target, args, newTarget) {
      const error = Reflect.construct(target, args, newTarget) as Error;
      // The message itself may contain lines that look like a stack trace.
      const trace = error.stack?.slice(error.stack.indexOf(error.message) + error.message.length);
      const creator = trace?.split('\n').find(isCreator) ?? '';
      // An error without a message only holds the frames of a caller.
      const problem =
        error.message !== '' &&
        checkedSource.test(creator) &&
        !/\bat safeCause /.test(creator) &&
        !['InterruptedError', 'DeliveryError'].includes(newTarget.name) &&
        messageProblem(error.message);
      if (problem) problems.add(`${problem}: ${error.message}\n${creator}`);
      return error;
    },
  });
}

/** Returns whether a stack line names a call that is neither this proxy nor the constructor of an error. */
function isCreator(line: string): boolean {
  return /^\s+at /.test(line) && !line.includes(import.meta.filename) && !/\bnew \w*(?:Error|Exception)\b/.test(line);
}

if (isFirst) {
  const observed = { Error, TypeError, RangeError, SyntaxError, AggregateError };
  for (const [name, errorClass] of Object.entries(observed)) Object.assign(globalThis, { [name]: observe(errorClass) });
}

afterEach(() => {
  const found = [...problems];
  problems.clear();
  if (found.length > 0) throw new Error(`Failed to check the messages of errors: ${found.join('\n')}`);
});
