/** A request as the specification speaks of it. */
export interface OracleRequest {
  method: string;
  /** Path and query as they are sent, below the base URL. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** What there is to be read, and who may read it. */
export interface OracleWorld {
  /** Accounts of the keys that hold. */
  accounts: ReadonlyMap<string, string>;
  /** Memories of each account. */
  memories: ReadonlyMap<string, readonly { id: string; started_at: string }[]>;
}

/** What the specification, and where it is silent the decisions, say about an answer. */
export interface Expectation {
  status: number;
  /** `null` where there is no body that has one. */
  contentType: string | null;
  /** Of an error. */
  detail?: string;
  headers?: Record<string, string>;
  /** Of the memory, or of the list in its order. */
  ids?: string | string[];
}

export function problem(status: number, detail: string, headers: Record<string, string> = {}): Expectation {
  return { status, contentType: 'application/json', detail, headers };
}

/** The values of a header, white space around them taken away, as HTTP does. */
export function valuesOf({ headers }: Pick<OracleRequest, 'headers'>, name: string): string[] {
  return headers
    .filter(([header]) => header.toLowerCase() === name)
    .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** The segments of a path once dot segments are resolved, as URLs have it, without query and fragment. */
export function segmentsOf(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/, 1);
  const segments: string[] = [];
  const sent = plain.split('/').slice(1);
  for (const [index, segment] of sent.entries()) {
    const dots = segment.replace(/%2e/gi, '.');
    if (dots === '..') segments.pop();
    if (dots !== '.' && dots !== '..') segments.push(segment);
    else if (index === sent.length - 1) segments.push('');
  }
  return segments;
}
