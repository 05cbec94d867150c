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
  const longestFirst = forms.sort((a, b) => b.length - a.length);
  return longestFirst.reduce(maskKey, text).replace(/mrk_[\w-]*/gi, 'mrk_…');
}

/** A short key is part of many words, so it is masked only as a whole word. */
function maskKey(text: string, key: string): string {
  const pattern = key.replace(/[^\w\s]/g, '\\$&');
  const expression = key.length < shortestPart ? `(?<![\\w-])${pattern}(?![\\w-])` : pattern;
  return text.replace(new RegExp(expression, 'gi'), '[redacted]');
}

const shortestPart = 4;
