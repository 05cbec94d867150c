import { rankFault } from '../policy/failure-policy.ts';
import type { SafeCause } from './safe-cause.ts';

/** Returns the code of the part that a user can act on first; without parts, that of the outermost error that has one. */
export function faultCode(error: Error | undefined): string | undefined {
  return causeChain(error).find(({ code }) => code !== undefined)?.code;
}

/**
 * Returns the error and its causes, from the outermost one to the last. Parts come before an error that sums them up: Node
 * gives such an error the code of the first part, or of a timeout. The first part is the one to act on first.
 */
export function causeChain(error: SafeCause | undefined): SafeCause[] {
  if (error === undefined) return [];
  const parts = (error.errors ?? []).map(causeChain).sort((one, other) => rankFault(one) - rankFault(other));
  const inner = [...parts.flat(), ...causeChain(error.cause as SafeCause | undefined)];
  return inner.some(({ errors }) => errors) || error.errors ? [...inner, error] : [error, ...inner];
}
