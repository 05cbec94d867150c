/** Asks a function of the test about a request. */
export interface Predicate {
  /** As the test wrote it, such as `match.request`. */
  name: string;
  decide: (request: Request) => boolean;
}

/**
 * What the function says.
 *
 * @throws TypeError when that is no boolean: a promise would be taken for a yes. Else what the function throws.
 */
export function evaluatePredicate({ name, decide }: Predicate, request: Request): boolean {
  const result: unknown = decide(request);
  if (typeof result === 'boolean') return result;
  // Nobody else waits for it.
  if (result instanceof Promise) result.catch(() => {});
  const returned = result instanceof Promise ? 'a promise' : `a value of type ${typeof result}`;
  throw new TypeError(`Failed to ask ${name}: because it returned ${returned}. Return true or false at once.`);
}
