import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@memory-read/server';
import type { ServeOptions } from '@memory-read/server/node';
import { assertOptions } from '../../checks/assert-options.ts';
import { createRequestLog, loggedParts } from '../../request-log/request-log.ts';
import type { RequestTarget } from '../../request-log/request-target.ts';
import type { ServerFault } from '../faults/wire-fault.ts';
import type { WireEnd } from '../faults/wire-turn.ts';
import type { WireOperation } from './wire-operation.ts';
import type { WireRequest } from './wire-request.ts';

/** A response of `serve` before it is sent. */
export type Outgoing = Parameters<NonNullable<ServeOptions['connection']>['begin']>[0];

/** A request that has no entry yet. */
export interface OpenEntry {
  fault: ServerFault | null;
  readonly body: { bytes: number; text: string };
  /** What the fault has sent, if it writes the response itself. */
  progress: { status: number | null; bytes: number } | undefined;
  /** Adds an entry without an end. */
  stall(): void;
  /** Adds the entry, or replaces that of the stall. Only the first end counts. */
  end(ended: WireEnd): void;
}

/** What arrived, and its target. */
export interface Arrival {
  outgoing: Outgoing;
  to: WireRequest['to'];
  target: RequestTarget;
}

/** Log of the requests that arrived at a space. */
export interface WireLog {
  readonly requests: readonly WireRequest[];
  nextRequest(which?: { operation?: WireOperation | undefined }, signal?: AbortSignal): Promise<WireRequest>;
  open(arrival: Arrival): OpenEntry;
  reset(): void;
  /** Rejects the promises of `nextRequest`. */
  endWaiting(reason: 'closed'): void;
}

/** Dependencies of the log. */
export interface WireLogContext {
  clock: Clock;
  /** Returns whether a text contains a key of the space. */
  hasKey(text: string): boolean;
  redactOwnKeys(text: string): string;
  /** Redacts the keys of all spaces. */
  redactKeys(text: string): string;
}

export function createWireLog({ clock, hasKey, redactOwnKeys, redactKeys }: WireLogContext): WireLog {
  const log = createRequestLog<WireRequest>(() => true);
  let openedAt = performance.now();
  let resets = 0;
  const numbers = new WeakMap<Socket, number>();
  let connectionCount = 0;
  return {
    requests: log.requests,
    nextRequest(which = {}, signal) {
      assertOptions('wait for a request', { name: 'the options argument', value: which }, ['operation']);
      return log.nextRequest(which.operation, signal);
    },
    open,
    endWaiting: log.endWaiting,
    reset() {
      resets += 1;
      openedAt = performance.now();
      log.reset();
    },
  };

  function open({ outgoing, to, target }: Arrival): OpenEntry {
    const { req: incoming, arrivedAt } = outgoing;
    const connection = numberOf(incoming.socket);
    const arrival = { at: clock.now(), elapsed: arrivedAt - openedAt, to, ...target, connection };
    const resetsBefore = resets;
    let replace: ReturnType<typeof log.add> | undefined;
    let seq = 0;
    let hasEnded = false;
    const put = (ended: WireEnd | null) => {
      if (hasEnded || resets > resetsBefore) return;
      hasEnded = ended !== null;
      if (replace === undefined) seq = log.requests.length + 1;
      const { status, bytes } = entry.progress ?? {
        status: outgoing.headersSent ? outgoing.statusCode : null,
        bytes: incoming.method === 'HEAD' ? 0 : outgoing.bodyBytes,
      };
      const next: WireRequest = Object.freeze({
        seq,
        ...arrival,
        ...requestParts(incoming, entry, arrival.memoryId),
        status,
        bytes,
        ended,
        endedAfter: ended === null ? null : performance.now() - arrivedAt,
      });
      if (replace !== undefined) {
        replace(next);
        return;
      }
      replace = log.add(next);
      log.announce(next);
    };
    const entry: OpenEntry = {
      fault: null,
      body: { bytes: 0, text: '' },
      progress: undefined,
      stall: () => put(null),
      end: put,
    };
    return entry;
  }

  function numberOf(socket: Socket): number {
    const known = numbers.get(socket);
    if (known !== undefined) return known;
    connectionCount += 1;
    numbers.set(socket, connectionCount);
    return connectionCount;
  }

  /** Returns what the request itself says. */
  function requestParts(incoming: IncomingMessage, { body, fault }: OpenEntry, memoryId: string | null) {
    const { method = '' } = incoming;
    const { path, query } = targetParts(incoming);
    const headers = headersOf(incoming);
    const [, basic = ''] = /^basic\s+(\S+)/i.exec(headers.authorization ?? '') ?? [];
    const places: Record<string, string> = { ...headers, query: query ?? '', path, body: body.text };
    if (basic !== '') places.authorization += ` ${Buffer.from(basic, 'base64').toString('latin1')}`;
    return {
      method,
      hasQuery: query !== undefined,
      bodyBytes: body.bytes,
      keyIn: Object.freeze(Object.entries(places).flatMap(([place, text]) => (hasKey(text) ? [place] : []))),
      ...loggedParts({ memoryId, path, headers, fault }, redactKeys, '[redacted]', redactOwnKeys),
    };
  }
}

/** Returns every header that was sent. Node leaves out a second `Authorization` from its own object. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase();
    const value = String(rawHeaders[index + 1]);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** Returns the path as it was sent, without an origin, and the query. Without a query, it is undefined. */
export function targetParts({ url = '' }: IncomingMessage): { path: string; query: string | undefined } {
  const [, path = '', query] = /^(?:[a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?(.*))?/i.exec(url) ?? [];
  return { path, query };
}
