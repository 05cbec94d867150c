import { type OperationId, operations } from '@memory-read/contract/operations';
import { formatValue } from '../checks/format-value.ts';
import { operationNames, unsupportedError } from '../checks/unknown-name-error.ts';
import type { Fault } from '../faults/fault.ts';
import type { RequestTarget } from './request-target.ts';

/** A request to the mock, as a frozen copy without its key and its query. */
export interface RequestRecord extends RequestTarget {
  method: string;
  /**
   * Headers by lowercase name, without those that hold a key or a cookie. In the others, `[key]` replaces each key of the
   * mock, and URLs have no query.
   */
  headers: Readonly<Record<string, string>>;
  /** Path below the origin as it was sent. Keys of the mock in it are replaced by `[key]`. */
  path: string;
  /** How a key was sent, whether or not it was accepted. See section 5 of the specification. */
  auth: AuthScheme;
  /** Time of the request, by the clock of the mock. */
  at: Date;
  /** Fault that was scheduled for the request; null if none was. */
  fault: Fault | null;
  /** Status of the response; null before it, and after a stall or a network error. */
  status: number | null;
}

/** How a request sends its key. See section 5 of the specification. */
export type AuthScheme = 'bearer' | 'x-api-key' | 'both' | 'none';

/** What a test can wait for: an operation of the API, or media. */
export type RequestName = OperationId | 'media';

/** Log of requests, in order. */
export interface RequestLog {
  readonly requests: readonly RequestRecord[];
  nextRequest(operation?: RequestName): Promise<RequestRecord>;
  /** Adds a request. The returned function sets its status, or null if it gets no response. */
  add(record: Omit<RequestRecord, 'status'>): (status: number | null) => void;
  reset(): void;
}

interface Waiting {
  operation: RequestName | undefined;
  resolve(record: RequestRecord): void;
  reject(error: Error): void;
}

export function createRequestLog(): RequestLog {
  const requests: RequestRecord[] = [];
  let waiting: Waiting[] = [];

  function notifyWaiting(record: RequestRecord): void {
    const isFor = ({ operation }: Waiting) =>
      operation === undefined ? record.operation !== 'media' : operation === record.operation;
    const served = waiting.filter(isFor);
    waiting = waiting.filter((wait) => !isFor(wait));
    for (const { resolve } of served) resolve(record);
  }

  return {
    requests,
    nextRequest(operation) {
      if (operation !== undefined && operation !== 'media' && !Object.hasOwn(operations, operation)) {
        const names = [...operationNames, "'media'"];
        throw unsupportedError('wait for a request', `operation is ${formatValue(operation)}, which`, names);
      }
      const next = new Promise<RequestRecord>((resolve, reject) => void waiting.push({ operation, resolve, reject }));
      // A promise that is not awaited must not cause an unhandled rejection.
      next.catch(() => {});
      return next;
    },
    add(record) {
      const open = Object.freeze({ ...record, status: null });
      requests.push(open);
      return (status) => {
        const index = requests.lastIndexOf(open);
        // The request belongs to an earlier test.
        if (index < 0) return;
        const settled = Object.freeze({ ...record, status });
        requests[index] = settled;
        notifyWaiting(settled);
      };
    },
    reset() {
      requests.length = 0;
      for (const { reject } of waiting) reject(resetError());
      waiting = [];
    },
  };
}

function resetError(): Error {
  return new Error(
    'Failed to wait for a request: the mock was reset before a request was answered. Await nextRequest in the same test.',
  );
}

/** Returns the headers of a request for the log. `redactKeys` replaces each key of the mock. */
export function loggedHeaders(
  headers: Headers,
  redactKeys: (text: string) => string,
): Readonly<Record<string, string>> {
  const shown = [...headers].filter(([name]) => !secretHeader.test(name));
  return Object.freeze(Object.fromEntries(shown.map(([name, value]) => [name, redactKeys(withoutQueries(value))])));
}

const secretHeader = /^(?:proxy-)?authorization$|^x-api-key$|cookie/;

/** A `Referer` can be a signed URL. */
function withoutQueries(value: string): string {
  return value.replace(/(\/[^\s?"<>]*)\?[^\s"<>]*/g, '$1');
}

/** Returns how a request sends its key. An `Authorization` header of another scheme does not count as a key. */
export function authScheme(headers: Headers): AuthScheme {
  const hasBearer = /^bearer\s+\S/i.test(headers.get('authorization') ?? '');
  const hasHeader = (headers.get('x-api-key') ?? '').trim() !== '';
  if (hasBearer && hasHeader) return 'both';
  if (hasBearer) return 'bearer';
  return hasHeader ? 'x-api-key' : 'none';
}
