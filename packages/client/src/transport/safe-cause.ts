import { redact } from '@memory-read/contract/redaction';

/** An error that may have the code of a runtime, such as `ECONNREFUSED`. */
export interface SafeCause extends Error {
  code?: string;
  /** One for each address of a host that was tried. */
  errors?: readonly SafeCause[];
}

const MAXIMUM_DEPTH = 4;
const MAXIMUM_PARTS = 8;

/**
 * Copies a foreign error, with its causes and parts, from its code and its redacted message.
 *
 * The original may hold the request with its key, and messages of native errors may hold a whole URL.
 */
export function safeCause(error: unknown, secrets: Iterable<string>, depth = 0): SafeCause | undefined {
  if (typeof error !== 'object' || error === null || depth === MAXIMUM_DEPTH) return undefined;
  const [message, code, cause, errors] = ['message', 'code', 'cause', 'errors'].map((name) =>
    readProperty(error, name),
  );
  const copy = (value: unknown) => safeCause(value, secrets, depth + 1);
  const inner = copy(cause);
  const text = typeof message === 'string' ? redact(message, secrets) : '';
  const options = inner && { cause: inner };
  const listed = Array.isArray(errors) ? errors.slice(0, MAXIMUM_PARTS) : [];
  const parts = listed.flatMap((part) => copy(part) ?? []);
  const safe: SafeCause = parts.length > 0 ? new AggregateError(parts, text, options) : new Error(text, options);
  // A stack trace of the copy would be useless.
  safe.stack = String(safe);
  if (typeof code === 'string') safe.code = redact(code, secrets);
  return safe;
}

/** Returns a property of a foreign object. A getter may throw anything. */
export function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
