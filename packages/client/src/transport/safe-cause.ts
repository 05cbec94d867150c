import { redact } from '@memory-read/contract/redaction';
import { rankFault } from '../policy/failure-policy.ts';

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
  const parts = partsOf(errors).flatMap((part) => copy(part) ?? []);
  const safe: SafeCause = parts.length > 0 ? new AggregateError(parts, text, options) : new Error(text, options);
  // A stack trace of the copy would be useless.
  safe.stack = String(safe);
  if (typeof code === 'string') safe.code = redact(code, secrets);
  return safe;
}

/** Returns the code of the part that a user can act on first; without parts, that of the outermost error that has one. */
export function faultCode(error: Error | undefined): string | undefined {
  return causeChain(error).find(({ code }) => code !== undefined)?.code;
}

/** Returns a property of a foreign object. A getter may throw anything. */
export function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
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

function partsOf(errors: unknown): unknown[] {
  try {
    return Array.isArray(errors) ? errors.slice(0, MAXIMUM_PARTS) : [];
  } catch {
    // A foreign proxy may throw anything.
    return [];
  }
}
