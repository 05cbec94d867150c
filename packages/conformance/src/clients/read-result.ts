/** Result line of a command: the last line of its standard output. */
export type ResultLine =
  | ReportedData
  | { readonly ok: false; readonly error?: unknown; readonly status?: unknown }
  | { readonly skip: string };

/** What a command reports as success. */
export interface ReportedData {
  readonly ok: true;
  readonly memories?: unknown;
  readonly memory?: unknown;
}

/** Returns the result of a command; undefined if the last line is not one. */
export function readResult(stdout: string): ResultLine | undefined {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    const value = JSON.parse(line);
    return typeof value?.ok === 'boolean' || (typeof value?.skip === 'string' && value.skip !== '') ? value : undefined;
  } catch {
    return undefined;
  }
}
