import { redact } from '@memory-read/contract/redaction';

const MAXIMUM_HEADERS = 64;
const MAXIMUM_LENGTH = 1024;
const secretName = /cookie|authoriz|token|secret|api-?key|credential|signature|password/i;

/** Returns the headers of a response for errors: no header that holds a secret, and no key or query in the others. */
export function safeHeaders(headers: Headers, secrets: Iterable<string>): Record<string, string> {
  // The headers of a foreign Response may not be iterable.
  const shown = Array.from(headers).flatMap(([name, value]) => {
    const text = redact(/location$/i.test(name) ? value.replace(/[?#].*/s, '') : value, secrets);
    return secretName.test(name) ? [] : [[redact(name, secrets), text.slice(0, MAXIMUM_LENGTH)]];
  });
  return Object.fromEntries(shown.slice(0, MAXIMUM_HEADERS));
}
