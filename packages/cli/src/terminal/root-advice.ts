/** Where the base URL of the command comes from. */
interface BaseUrlSource {
  /** `--base-url`, `MEMORY_API_URL`, path of the configuration file or `the profile <name>`. */
  from: string;
  /** Arguments of `login` that replace the saved URL; undefined if it is not saved. */
  login?: string | undefined;
}

let source: BaseUrlSource | undefined;

/** Registers the source of the base URL, so that a failure can name it. */
export function rememberBaseUrlSource(found: BaseUrlSource): void {
  source = found;
}

/** Returns what to do about a base URL that is not the root of the API; undefined if its source is not known. */
export function rootAdvice(): string | undefined {
  if (source === undefined) return undefined;
  const { from, login } = source;
  const root = 'the root of the API, without /v1.';
  if (login !== undefined) return `The base URL comes from ${from}. Run memory-read ${login} with ${root}`;
  return from === 'MEMORY_API_URL' ? `Set MEMORY_API_URL to ${root}` : `Pass ${from} with ${root}`;
}
