import type { ProblemName } from '@memory-read/contract/operations';

/** The API key of a request, or the problem with it. See sections 5.2 to 5.4 of the specification. */
export type SentApiKey = { key: string } | { problem: Extract<ProblemName, 'missing-api-key' | 'invalid-api-key'> };

/**
 * Returns the key from `Authorization: Bearer` or `X-API-Key`.
 *
 * Ambiguous credentials are rejected: two different keys, or a header that was sent twice, count as an invalid key.
 */
export function apiKeyInRequest(headers: Headers): SentApiKey {
  const authorization = headers.get('authorization') ?? '';
  // Only the white space of HTTP is skipped: `trim` removes more, and would accept keys that were never issued.
  const bearer = /^bearer(?:[ \t]+(.*))?$/is.exec(authorization)?.[1] ?? '';
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
