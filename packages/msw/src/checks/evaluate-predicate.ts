/** A function of the test that decides about a request. */
export interface Predicate {
  /** Its name in the options, such as `match.request`. */
  name: string;
  decide: (request: Request) => boolean;
}

/**
 * Returns the result of the predicate.
 *
 * @throws TypeError if the result is not a boolean, because a promise would count as true. Also the error of the function.
 */
export function evaluatePredicate({ name, decide }: Predicate, request: Request): boolean {
  const result: unknown = decide(request);
  if (typeof result === 'boolean') return result;
  // Without this, a rejected promise would be an unhandled rejection.
  if (result instanceof Promise) result.catch(() => {});
  const returned = result instanceof Promise ? 'a promise' : `a value of type ${typeof result}`;
  throw new TypeError(`Failed to call ${name}: it returned ${returned}. Return true or false, without a promise.`);
}
