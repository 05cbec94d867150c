import { redact } from '@memory-read/contract/redaction';

const MAXIMUM_HEADERS = 64;
const MAXIMUM_LENGTH = 1024;
const secretName = /cookie|authoriz|token|secret|api-?key|credential|signature|password/i;

/** Returns the headers of a response for errors: no header that holds a secret, and no key or query in the others. */
export function safeHeaders(headers: Headers, secrets: Iterable<string>): Record<string, string> {
  const shown = listHeaders(headers).flatMap(([name, value]) => {
    const text = redact(/location$/i.test(name) ? value.replace(/[?#].*/s, '') : value, secrets);
    return secretName.test(name) ? [] : [[redact(name, secrets), text.slice(0, MAXIMUM_LENGTH)]];
  });
  return Object.fromEntries(shown.slice(0, MAXIMUM_HEADERS));
}

/** The headers of a foreign Response may not be iterable, or hold anything. */
function listHeaders(headers: Headers): [name: string, value: string][] {
  try {
    return Array.from(headers).filter((entry) => entry.every((part) => typeof part === 'string'));
  } catch {
    return [];
  }
}
