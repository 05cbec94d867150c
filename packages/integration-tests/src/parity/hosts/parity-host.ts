import type { ParityRequest, RawAnswer } from '../parity-case.ts';

/** A host that contains the data of the world and responds to requests. */
export interface ParityHost {
  name: string;
  /** Absolute URL, without a slash at its end. */
  baseUrl: string;
  /** Sets the clock of the host. */
  setClock(instant: Date): void | Promise<void>;
  send(request: ParityRequest): Promise<RawAnswer>;
  /** Returns whether this request can reach this host unchanged. */
  canSend(request: ParityRequest): boolean;
}

/** Returns whether a `fetch` sends this request unchanged. It resolves dot segments and makes slashes of backslashes. */
export function canFetch({ method, url, body }: ParityRequest): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  const hasDotSegment = path.split('/').some((segment) => ['.', '..'].includes(segment.replace(/%2e/gi, '.')));
  return method !== 'TRACE' && !(body !== undefined && method === 'GET') && !path.includes('\\') && !hasDotSegment;
}
