import type { ParityRequest, RawAnswer } from '../parity-case.ts';

/** Something that holds the world and answers requests. */
export interface ParityHost {
  name: string;
  /** Absolute, without a slash at its end. */
  baseUrl: string;
  /** Where its clock stands from now on. */
  setClock(instant: Date): void | Promise<void>;
  send(request: ParityRequest): Promise<RawAnswer>;
  /** Why this request does not get from its caller to this host as it is, or `undefined`. */
  refusal(request: ParityRequest): string | undefined;
}

/** What no `fetch` sends as it is. */
export function refusalOfFetch({ method, url, body }: ParityRequest, baseUrl: string): string | undefined {
  if (method === 'TRACE') return 'fetch does not send TRACE';
  if (body !== undefined && method === 'GET') return 'fetch sends no body with GET';
  if (url.split(/[?#]/, 1)[0]?.includes('\\'))
    return 'fetch makes a slash of a backslash, which an HTTP server is sent';
  return refusalOfBase(url, baseUrl);
}

/** Where the base URL has a path, dot segments can lead out of it. */
export function refusalOfBase(url: string, baseUrl: string): string | undefined {
  const { origin, pathname } = new URL(url);
  if (`${origin}${pathname}/`.startsWith(`${baseUrl}/`)) return undefined;
  return 'dot segments lead out of the path below which this host lies';
}

/** Reads the response of any `fetch`. */
export async function toRawAnswer(response: Response): Promise<RawAnswer> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: [...response.headers], body };
}
