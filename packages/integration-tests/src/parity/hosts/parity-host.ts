import { hasDotSegment } from '@memory-read/test-kit/oracle/expectation';
import type { ParityRequest, RawAnswer } from '../parity-case.ts';

/** A host that contains the data of the world and responds to requests. */
export interface ParityHost {
  name: string;
  /** Absolute URL, without a slash at its end. */
  baseUrl: string;
  /** Sets the clock of the host. */
  setClock(instant: Date): void | Promise<void>;
  send(request: ParityRequest): Promise<RawAnswer>;
  /** Returns why this request cannot reach this host unchanged, or `undefined`. */
  refusal(request: ParityRequest): string | undefined;
}

/** Returns why no `fetch` sends this request unchanged, or `undefined`. */
export function refusalOfFetch({ method, url, body }: ParityRequest): string | undefined {
  if (method === 'TRACE') return 'fetch does not send TRACE';
  if (body !== undefined && method === 'GET') return 'fetch sends no body with GET';
  if (url.split(/[?#]/, 1)[0]?.includes('\\'))
    return 'fetch makes a slash of a backslash, which an HTTP server is sent';
  return hasDotSegment(url) ? 'fetch resolves dot segments, which an HTTP server is sent' : undefined;
}

/** Reads the response of any `fetch`. */
export async function toRawAnswer(response: Response): Promise<RawAnswer> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: [...response.headers], body };
}
