import { redact } from '@memory-read/contract/redaction';

/** A fault that runtimes name by a code, such as `ECONNREFUSED`. */
export interface SafeCause extends Error {
  code?: string;
}

const MAXIMUM_DEPTH = 4;

/**
 * A foreign error made anew from its code and its redacted message, and so its causes.
 *
 * The original may hold the request with its key, and messages of native errors may hold a whole URL.
 */
export function safeCause(error: unknown, apiKeys: Iterable<string>, depth = 0): SafeCause | undefined {
  if (typeof error !== 'object' || error === null || depth === MAXIMUM_DEPTH) return undefined;
  const [message, code, cause] = ['message', 'code', 'cause'].map((name) => readProperty(error, name));
  const inner = safeCause(cause, apiKeys, depth + 1);
  const text = typeof message === 'string' ? redact(message, apiKeys) : '';
  const safe: SafeCause = new Error(text, inner && { cause: inner });
  // Where it was made anew says nothing.
  safe.stack = String(safe);
  if (typeof code === 'string') safe.code = redact(code, apiKeys);
  return safe;
}

/** The code of the fault, from the outermost error that has one. */
export function faultCode(error: unknown): string | undefined {
  return causeChain(error).find(({ code }) => typeof code === 'string')?.code;
}

/** As a word of its own: messages also name hosts and, in Deno, the whole URL. */
const certificateWord = /(?:^|[\s(])certificate(?:'s)?[).:,;]*(?:\s|$)/i;

/** Whether a peer's certificate was refused: no attempt will change that. */
export function isCertificateFault(error: unknown): boolean {
  return causeChain(error).some(({ code, message }) => /CERT/.test(code ?? '') || certificateWord.test(message));
}

/** Whether Deno was not allowed to use the network: no attempt will change that either. */
export function lacksPermission(error: unknown): boolean {
  return causeChain(error).some(({ message }) => message.includes('--allow-net'));
}

/** A getter may throw anything. */
function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function causeChain(error: unknown): SafeCause[] {
  return error instanceof Error ? [error, ...causeChain(error.cause)] : [];
}
