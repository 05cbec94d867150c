import { inspect } from 'node:util';
import { maskKeys } from '../errors/mask-keys.ts';

/** Prints why a request failed, with the id that its caller was given; neither key nor URL is at hand here. */
export function reportRequestError(
  error: unknown,
  { requestId = 'unknown', operation }: { requestId?: string | undefined; operation?: string | null | undefined } = {},
): void {
  const name = operation ? ` (${operation})` : '';
  process.stderr.write(maskKeys(`Failed to answer request ${requestId}${name}: because of ${inspect(error)}\n`));
}
