/** A request in the terms of the specification. */
export interface OracleRequest {
  method: string;
  /** Path and query as they are sent, below the base URL. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** Accounts and memories that requests can read. */
export interface OracleWorld {
  /** Accounts by their valid API keys. */
  accounts: ReadonlyMap<string, string>;
  /** Memories of each account. */
  memories: ReadonlyMap<string, readonly { id: string; started_at: string }[]>;
}

/** Response that the specification requires, or a decision where the specification is silent. */
export interface Expectation {
  status: number;
  /** Content type, or `null` without a body. */
  contentType: string | null;
  /** Detail of an error. */
  detail?: string;
  headers?: Record<string, string>;
  /** Id of the memory, or the ids of the list in their order. */
  ids?: string | string[];
}

export function problem(status: number, detail: string, headers: Record<string, string> = {}): Expectation {
  return { status, contentType: 'application/json', detail, headers };
}

/** Returns the values of a header without the white space around them, as HTTP requires. */
export function valuesOf({ headers }: Pick<OracleRequest, 'headers'>, name: string): string[] {
  return headers
    .filter(([header]) => header.toLowerCase() === name)
    .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** Returns the segments of a path without query and fragment. */
export function segmentsOf(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/, 1);
  return plain.split('/').slice(1);
}

/** Returns whether a path has a dot segment, with which it names no route (docs/decisions/ids-and-paths.md). */
export function hasDotSegment(path: string): boolean {
  return segmentsOf(path).some((segment) => ['.', '..'].includes(segment.replace(/%2e/gi, '.')));
}
