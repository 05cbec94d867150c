import { takeReplacedGlobals } from './real-globals.ts';
import type { RunningMock } from './shared-server.ts';

/**
 * Fails the test for errors that the code under test may have caught.
 *
 * @throws Error about unhandled requests, and errors of the test's predicates.
 */
export async function assertNoFailures({ backend, unhandled }: RunningMock): Promise<void> {
  const errors = [...takeReplacedGlobals(), ...backend.takePredicateErrors(), ...(await unhandled.take())].map(toError);
  const [first] = errors;
  if (first === undefined) return;
  if (errors.length === 1) throw first;
  throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
}

function toError(failure: unknown): Error {
  if (String(Object(failure).message).startsWith('Failed to ')) return failure as Error;
  return new Error(
    `Failed to call match.request or allowUnhandled: it threw ${String(failure)}. Return true or false.`,
    { cause: failure },
  );
}
