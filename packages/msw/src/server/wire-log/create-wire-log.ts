import type { IncomingMessage } from 'node:http';
import type { Clock } from '@memory-read/server';
import type { ServeOptions } from '@memory-read/server/node';
import { createRequestLog, loggedParts } from '../../request-log/request-log.ts';
import type { RequestTarget } from '../../request-log/request-target.ts';
import type { ServerFault } from '../faults/wire-fault.ts';
import type { WireEnd } from '../faults/wire-turn.ts';
import type { WireOperation, WireRequest } from './wire-request.ts';

/** A response of `serve` before it is sent. */
export type Outgoing = Parameters<NonNullable<ServeOptions['connection']>['begin']>[0];

/** A request that has no entry yet. */
export interface OpenEntry {
  fault: ServerFault | null;
  body: { bytes: number; text: string };
  /** What the fault has sent, if it writes the response itself. */
  progress: { status: number | null; bytes: number } | undefined;
  /** Adds an entry without an end. */
  stall(): void;
  /** Adds the entry, or replaces that of the stall. Only the first end counts. */
  end(ended: WireEnd): void;
}

/** What arrived, and what it asks for. */
export interface Arrival {
  outgoing: Outgoing;
  to: WireRequest['to'];
  target: RequestTarget;
  connection: number;
}

/** Log of the requests that arrived at a space. */
export interface WireLog {
  readonly requests: readonly WireRequest[];
  nextRequest(which?: { operation?: WireOperation | undefined }): Promise<WireRequest>;
  open(arrival: Arrival): OpenEntry;
  reset(): void;
}

/** Dependencies of the log. */
export interface WireLogContext {
  clock: Clock;
  /** Returns whether a text contains a key of the space. */
  hasKey(text: string): boolean;
  redactKeys(text: string): string;
}

export function createWireLog({ clock, hasKey, redactKeys }: WireLogContext): WireLog {
  const log = createRequestLog<WireRequest>(() => true);
  let openedAt = performance.now();
  let resets = 0;
  return {
    requests: log.requests,
    nextRequest: (which = {}) => log.nextRequest(which.operation),
    open,
    reset() {
      resets += 1;
      openedAt = performance.now();
      log.reset();
    },
  };

  function open({ outgoing, to, target, connection }: Arrival): OpenEntry {
    const { req: incoming, arrivedAt } = outgoing;
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
        bytes: outgoing.bodyBytes,
      };
      const next: WireRequest = Object.freeze({
        seq,
        ...arrival,
        ...requestParts(incoming, entry.body, arrival.memoryId),
        fault: entry.fault,
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

  /** Returns what the request itself says. */
  function requestParts(incoming: IncomingMessage, body: OpenEntry['body'], memoryId: string | null) {
    const { method = '' } = incoming;
    const { path, query } = targetParts(incoming);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    const places = { ...headers, query: query ?? '', path, body: body.text };
    return {
      method,
      hasQuery: query !== undefined,
      bodyBytes: body.bytes,
      keyIn: Object.freeze(Object.entries(places).flatMap(([place, text]) => (hasKey(text) ? [place] : []))),
      ...loggedParts({ memoryId, path, headers }, redactKeys, '[redacted]'),
    };
  }
}

/** Returns the path as it was sent, without an origin, and the query; undefined if there is none. */
export function targetParts({ url = '' }: IncomingMessage): { path: string; query: string | undefined } {
  const [, path = '', query] = /^(?:[a-z][\w+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?(.*))?/i.exec(url) ?? [];
  return { path, query };
}
