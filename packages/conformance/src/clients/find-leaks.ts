import { decodeEscapes, redact } from '@memory-read/contract/redaction';

/** Returns the secrets of a run that an output contains, also percent-encoded, escaped or, of the key, in base64. */
export function findLeaks(output: string, apiKey: string): string[] {
  const decoded = decodeEscapes(output);
  const hasKey = decoded.includes(apiKey) || redact(output, [apiKey]) !== redact(output, []);
  // Logs of HTTP libraries show the path and the query without the origin.
  const hasSignature = /signature\W{1,9}[\w-]{43}/i.test(decoded);
  return [...(hasKey ? ['the key'] : []), ...(hasSignature ? ['a signed URL'] : [])];
}
