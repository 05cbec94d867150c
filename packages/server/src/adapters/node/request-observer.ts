import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { quietly } from '../../http/observers.ts';
import { safePathOf } from '../../http/safe-path.ts';

/** A request whose response is over: no key, no query. */
export interface RequestEndEvent {
  /** The `X-Request-Id` of the response; `null` where it has none, or never began. */
  requestId: string | null;
  /** `null` where what came was no readable request. */
  method: string | null;
  /** As it was sent, without the query, and with keys masked; `null` where what came was no readable request. */
  path: string | null;
  /** `null` where the connection ended before the response began. */
  status: number | null;
  outcome: RequestOutcome;
  /** Milliseconds from the request's headers to the end of the response. */
  elapsed: number;
  /** What was sent on the connection meanwhile, headers included. */
  bytesSent: number;
}

/**
 * `finished`: all was sent. `aborted`: the connection ended before, because the caller left or `close` gave up on it.
 * `failed`: the body could not be read to its end, and the connection was broken off.
 */
export type RequestOutcome = 'finished' | 'aborted' | 'failed';

/** Tells of requests once they are over. */
export interface RequestObserver {
  observe(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Breaks the response off, as one that failed. */
  breakOff(outgoing: { destroy(): unknown }): void;
  /** Tells of a request that never had a response of Node's. */
  tell(event: Pick<RequestEndEvent, 'requestId' | 'status'> & Partial<RequestEndEvent>): void;
}

export function createRequestObserver(onEnd: ((event: RequestEndEvent) => void) | undefined): RequestObserver {
  const failed = new WeakSet<object>();
  return {
    observe(incoming, outgoing) {
      if (onEnd === undefined) return;
      const { socket, method = null, url = '' } = incoming;
      const [startedAt, sentBefore] = [performance.now(), socket.bytesWritten];
      const requestIdSent = watchRequestId(outgoing);
      outgoing.once('close', () => {
        const event = {
          requestId: requestIdSent(),
          method,
          path: safePathOf(url),
          status: outgoing.headersSent ? outgoing.statusCode : null,
          outcome: outcomeOf(outgoing, failed.has(outgoing)),
          elapsed: performance.now() - startedAt,
          bytesSent: socket.bytesWritten - sentBefore,
        };
        quietly(() => onEnd(event));
      });
    },
    breakOff(outgoing) {
      failed.add(outgoing);
      outgoing.destroy();
    },
    tell(event) {
      const unknown = { method: null, path: null, outcome: 'finished', elapsed: 0, bytesSent: 0 } as const;
      quietly(() => onEnd?.({ ...unknown, ...event }));
    },
  };
}

function outcomeOf(outgoing: ServerResponse, hasFailed: boolean): RequestOutcome {
  if (outgoing.writableFinished) return 'finished';
  return hasFailed ? 'failed' : 'aborted';
}

/** Headers that are given to `writeHead` are kept nowhere else, and every answer passes through it. */
function watchRequestId(outgoing: ServerResponse): () => string | null {
  let requestId: string | null = null;
  const writeHead = outgoing.writeHead;
  outgoing.writeHead = (...args: unknown[]) => {
    const headers = Object.entries((args.at(-1) ?? {}) as OutgoingHttpHeaders);
    const [, sent] = headers.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
    if (sent !== undefined) requestId = String(sent);
    return Reflect.apply(writeHead, outgoing, args);
  };
  return () => requestId;
}
