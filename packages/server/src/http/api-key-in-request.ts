import type { ProblemName } from '@memory-read/contract/operations';

/** The key that a request carries, or what is wrong with it (sections 5.2 to 5.4 of the specification). */
export type SentApiKey = { key: string } | { problem: Extract<ProblemName, 'missing-api-key' | 'invalid-api-key'> };

/**
 * Reads the key from `Authorization: Bearer` or `X-API-Key`.
 *
 * Ambiguous credentials fail closed: two different keys, or a header that was sent twice, are an invalid key.
 */
export function apiKeyInRequest(headers: Headers): SentApiKey {
  const authorization = headers.get('authorization') ?? '';
  const bearer = bearerToken(authorization);
  const header = headers.get('x-api-key') ?? '';

  const isRepeated = secondCredential.test(authorization.replace(quoted, ''));
  const isContradicted = bearer !== '' && header !== '' && bearer !== header;
  if (isRepeated || isContradicted) return { problem: 'invalid-api-key' };

  const key = bearer || header;
  if (key === '') return { problem: 'missing-api-key' };
  return notInAKey.test(key) ? { problem: 'invalid-api-key' } : { key };
}

// Repeated headers arrive joined by a comma. Other schemes have commas of their own, between `name=value` pairs.
const secondCredential = /,[ \t]*[\w-]+([ \t]|$)/;
const quoted = /"[^"]*"/g;
const notInAKey = /[^\x21-\x7e]|,/;

function bearerToken(authorization: string): string {
  // White space of HTTP only: `trim` would take more away, and let a key pass that was not issued.
  return /^bearer(?:[ \t]+(.*))?$/is.exec(authorization)?.[1] ?? '';
}
