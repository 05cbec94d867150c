import type { CliProcess } from './cli-process.ts';

/** Where the base URL of the command comes from. */
interface BaseUrlSource {
  /** `--base-url`, `MEMORY_API_URL`, path of the configuration file or `the profile <name>`. */
  from: string;
  /** Arguments of `login` that replace the saved URL; undefined if it is not saved. */
  login?: string | undefined;
}

/** Sources by the process that the base URL was given to. */
const sources = new WeakMap<CliProcess, BaseUrlSource>();

/** Registers the source of the base URL, so that a failure can name it. */
export function rememberBaseUrlSource(process: CliProcess, found: BaseUrlSource): void {
  sources.set(process, found);
}

/** Returns what to do about a base URL that is not the root of the API; undefined if its source is not known. */
export function rootAdvice(process: CliProcess): string | undefined {
  const source = sources.get(process);
  if (source === undefined) return undefined;
  const { from, login } = source;
  const root = 'the root of the API, without /v1.';
  if (login !== undefined) return `The base URL comes from ${from}. Run memory-read ${login} with ${root}`;
  return from === 'MEMORY_API_URL' ? `Set MEMORY_API_URL to ${root}` : `Pass ${from} with ${root}`;
}
