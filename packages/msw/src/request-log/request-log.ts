import { type OperationId, operations } from '@memory-read/contract/operations';
import { formatValue } from '../checks/format-value.ts';
import { operationNames, unsupportedError } from '../checks/unknown-name-error.ts';
import type { Fault } from '../faults/fault.ts';
import { frozenCopy } from '../faults/frozen-copy.ts';
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
  /** Fault that was scheduled for the request, without keys and queries; null if none was. */
  fault: Fault | null;
  /** Status of the response; null before it, and after a stall or a network error. */
  status: number | null;
}

/** How a request sends its key. See section 5 of the specification. */
export type AuthScheme = 'bearer' | 'x-api-key' | 'both' | 'none';

/** What a test can wait for: an operation of the API, or media. */
export type RequestName = OperationId | 'media';

/** What every log has in its entries. */
interface LoggedRequest {
  operation: RequestName | null;
}

/** Log of requests, in order. */
export interface RequestLog<Entry> {
  readonly requests: readonly Entry[];
  /** The signal ends the wait. */
  nextRequest(operation?: RequestName, signal?: AbortSignal): Promise<Entry>;
  /** Adds an entry. The returned function replaces it, and returns false if the log was reset. */
  add(entry: Entry): (next: Entry) => boolean;
  /** Passes an entry to those who wait for it. */
  announce(entry: Entry): void;
  reset(): void;
  /** Rejects all waits. */
  endWaiting(reason: 'reset' | 'closed'): void;
}

interface Waiting<Entry> {
  operation: RequestName | undefined;
  resolve(entry: Entry): void;
  reject(error: Error): void;
}

/** `isAny` returns whether an entry ends a wait that names no operation. */
export function createRequestLog<Entry extends LoggedRequest>(isAny: (entry: Entry) => boolean): RequestLog<Entry> {
  const requests: Entry[] = [];
  let waiting: Waiting<Entry>[] = [];
  let isClosed = false;
  const endWaiting = (reason: 'reset' | 'closed') => {
    for (const { reject } of waiting) reject(endError(reason));
    waiting = [];
    isClosed ||= reason === 'closed';
  };
  return {
    requests,
    nextRequest(operation, signal) {
      if (operation !== undefined && operation !== 'media' && !Object.hasOwn(operations, operation)) {
        const names = [...operationNames, "'media'"];
        throw unsupportedError('wait for a request', `operation is ${formatValue(operation)}, which`, names);
      }
      const next = new Promise<Entry>((resolve, reject) => {
        const wait = { operation, resolve, reject };
        if (isClosed) reject(endError('closed'));
        else waiting.push(wait);
        signal?.addEventListener('abort', () => {
          waiting = waiting.filter((other) => other !== wait);
          reject(signal.reason);
        });
      });
      // A promise that is not awaited must not cause an unhandled rejection.
      next.catch(() => {});
      return next;
    },
    add(entry) {
      let current = entry;
      requests.push(entry);
      return (next) => {
        const index = requests.lastIndexOf(current);
        // The request belongs to an earlier test.
        if (index < 0) return false;
        current = next;
        requests[index] = next;
        return true;
      };
    },
    announce(entry) {
      const isFor = ({ operation }: Waiting<Entry>) =>
        operation === undefined ? isAny(entry) : operation === entry.operation;
      const served = waiting.filter(isFor);
      waiting = waiting.filter((wait) => !isFor(wait));
      for (const { resolve } of served) resolve(entry);
    },
    reset() {
      requests.length = 0;
      endWaiting('reset');
    },
    endWaiting,
  };
}

function endError(reason: string): Error {
  return new Error(
    `Failed to wait for a request: the mock was ${reason} before a request was answered. Await nextRequest in the same test.`,
  );
}

/** Parts of an entry that every log redacts. */
export interface LoggedParts<AnyFault> extends Pick<RequestRecord, 'memoryId' | 'path' | 'headers'> {
  fault: AnyFault | null;
}

/**
 * Returns these parts without keys. `headers` have lowercase names. Without `secret`, headers with a key are left out.
 * The texts of a fault can be long, and there can be many spaces: `redactOwnKeys` has only the keys of its own.
 */
export function loggedParts<AnyFault>(
  { memoryId, path, headers, fault }: LoggedParts<AnyFault>,
  redactKeys: (text: string) => string,
  secret?: string,
  redactOwnKeys = redactKeys,
): LoggedParts<AnyFault> & Pick<RequestRecord, 'auth'> {
  const redact = (text: string) => redactKeys(withoutQueries(text));
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!secretHeader.test(name)) shown[name] = redact(value);
    else if (secret !== undefined) shown[name] = secret;
  }
  return {
    memoryId: memoryId && redactKeys(memoryId),
    path: redactKeys(path),
    headers: Object.freeze(shown),
    auth: authScheme(headers),
    fault: frozenCopy(fault, (text) => redactOwnKeys(withoutQueries(text))),
  };
}

const secretHeader = /^(?:proxy-)?authorization$|^x-api-key$|cookie/;

/** A `Referer` can be a signed URL. */
function withoutQueries(value: string): string {
  return value.replace(/(\/[^\s?"<>]*)\?[^\s"<>]*/g, '$1');
}

/** Returns how a request sends its key. An `Authorization` header of another scheme does not count as a key. */
function authScheme(headers: Readonly<Record<string, string>>): AuthScheme {
  const hasBearer = /^bearer\s+\S/i.test(headers.authorization ?? '');
  const hasHeader = (headers['x-api-key'] ?? '').trim() !== '';
  if (hasBearer && hasHeader) return 'both';
  if (hasBearer) return 'bearer';
  return hasHeader ? 'x-api-key' : 'none';
}
