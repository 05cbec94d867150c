import { redact } from '@memory-read/contract/redaction';

/** An error that may have the code of a runtime, such as `ECONNREFUSED`. */
export interface SafeCause extends Error {
  code?: string;
}

const MAXIMUM_DEPTH = 4;

/**
 * Copies a foreign error, with its causes, from its code and its redacted message.
 *
 * The original may hold the request with its key, and messages of native errors may hold a whole URL.
 */
export function safeCause(error: unknown, secrets: Iterable<string>, depth = 0): SafeCause | undefined {
  if (typeof error !== 'object' || error === null || depth === MAXIMUM_DEPTH) return undefined;
  const [message, code, cause] = ['message', 'code', 'cause'].map((name) => readProperty(error, name));
  const inner = safeCause(cause, secrets, depth + 1);
  const text = typeof message === 'string' ? redact(message, secrets) : '';
  const safe: SafeCause = new Error(text, inner && { cause: inner });
  // A stack trace of the copy would be useless.
  safe.stack = String(safe);
  if (typeof code === 'string') safe.code = redact(code, secrets);
  return safe;
}

/** Returns the code of the outermost error that has one. */
export function faultCode(error: unknown): string | undefined {
  return causeChain(error).find(({ code }) => typeof code === 'string')?.code;
}

/** Returns a property of a foreign object. A getter may throw anything. */
export function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Returns the error and its causes, from the outermost one to the last. */
export function causeChain(error: unknown): SafeCause[] {
  return error instanceof Error ? [error, ...causeChain(error.cause)] : [];
}
