import { decodeEscapes, redact } from '@memory-read/contract/redaction';

/** Returns the secrets of a run that an output contains, also percent-encoded, escaped or in base64. */
export function findLeaks(output: string, { apiKey, mediaUrl }: { apiKey: string; mediaUrl: string }): string[] {
  const decoded = decodeEscapes(output);
  const hasKey = decoded.includes(apiKey) || redact(output, [apiKey]) !== redact(output, []);
  const hasUrl = decoded.split(mediaUrl).some((rest, index) => index > 0 && /^\/[^\s"'<>?]*\?[^\s"'<>]/.test(rest));
  return [...(hasKey ? ['the key'] : []), ...(hasUrl ? ['a signed URL'] : [])];
}
