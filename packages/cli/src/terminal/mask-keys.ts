import { removeKeys } from '@memory-read/contract/redaction';
import type { CliProcess } from './cli-process.ts';

/** Keys by the process that they were given to. */
const given = new WeakMap<CliProcess, Set<string>>();

/** Registers a key that the user gave, so that it is masked whatever its form is. */
export function rememberKey(process: CliProcess, key: string): void {
  given.set(process, new Set(given.get(process)).add(key));
}

/**
 * Masks API keys: those that the user gave, and everything that looks like a key of this server. A user may have passed
 * one as any argument.
 */
export function maskKeys(process: CliProcess, text: string): string {
  // Arguments are checked before the connection is read.
  const keys = [...(given.get(process) ?? []), process.env.MEMORY_API_KEY ?? ''].filter(
    (key) => !/^(?:mrk_[\w-]*)?$/i.test(key),
  );
  const forms = keys.flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]);
  return removeKeys(text, forms).replace(/mrk_[\w-]*/gi, 'mrk_…');
}

/** Returns the text without API keys and without the queries of URLs, which may be signatures. */
export function redact(process: CliProcess, text: string): string {
  return maskKeys(process, text).replace(/(\b[a-z][\w+.-]*:\/\/[^\s?"'`<>]*)\?[^\s"'`<>]*/gi, '$1?…');
}
