import type { IncomingMessage } from 'node:http';
import { callObserver } from '../../http/observers.ts';
import { safePathOf } from '../../http/safe-path.ts';
import type { ObservedResponse } from './observed-response.ts';

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

/** Reports requests once they are over. */
export interface RequestObserver {
  observe(incoming: IncomingMessage, outgoing: ObservedResponse): void;
  /** Reports a request that never had a response of Node's. */
  report(event: Pick<RequestEndEvent, 'requestId' | 'status'> & Partial<RequestEndEvent>): void;
}

export function createRequestObserver(onEnd: ((event: RequestEndEvent) => void) | undefined): RequestObserver {
  return {
    observe(incoming, outgoing) {
      if (onEnd === undefined) return;
      const { socket, method = null, url = '' } = incoming;
      const [startedAt, sentBefore] = [performance.now(), socket.bytesWritten];
      outgoing.once('close', () => {
        const event = {
          requestId: outgoing.requestId,
          method,
          path: safePathOf(url),
          status: outgoing.headersSent ? outgoing.statusCode : null,
          outcome: outcomeOf(outgoing),
          elapsed: performance.now() - startedAt,
          bytesSent: socket.bytesWritten - sentBefore,
        };
        callObserver(() => onEnd(event));
      });
    },
    report(event) {
      const unknown = { method: null, path: null, outcome: 'finished', elapsed: 0, bytesSent: 0 } as const;
      callObserver(() => onEnd?.({ ...unknown, ...event }));
    },
  };
}

function outcomeOf({ writableFinished, hasFailed }: ObservedResponse): RequestOutcome {
  if (writableFinished) return 'finished';
  return hasFailed ? 'failed' : 'aborted';
}
