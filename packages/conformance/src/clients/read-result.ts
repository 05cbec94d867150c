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
    // Serializers of structs print fields without a value too.
    const { skip, ...result } = Object(JSON.parse(line));
    if (skip && typeof skip === 'string' && result.ok !== true) return { skip };
    return typeof result.ok === 'boolean' ? result : undefined;
  } catch {
    return undefined;
  }
}
