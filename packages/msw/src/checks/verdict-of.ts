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
export function verdictOf({ name, decide }: Predicate, request: Request): boolean {
  const verdict: unknown = decide(request);
  if (typeof verdict === 'boolean') return verdict;
  // Nobody else waits for it.
  if (verdict instanceof Promise) verdict.catch(() => {});
  const returned = verdict instanceof Promise ? 'a promise' : `a value of type ${typeof verdict}`;
  throw new TypeError(`Failed to ask ${name}: because it returned ${returned}. Return true or false at once.`);
}
