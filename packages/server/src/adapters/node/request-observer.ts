import type { IncomingMessage } from 'node:http';
import { quietly } from '@memory-read/contract/event-loop';
import { safePathOf } from '../../http/safe-path.ts';
import type { ClientAddressOf } from './client-address.ts';
import type { NodeResponse } from './node-response.ts';

/** A request whose response has ended. It holds no API key and no query. */
export interface RequestEndEvent {
  /** Value of the `X-Request-Id` header of the response. `null` if the response has none or never began. */
  requestId: string | null;
  /** HTTP method, such as `GET`. `null` if the request could not be read. */
  method: string | null;
  /** Path as it was sent, without the query and with masked keys. `null` if the request could not be read. */
  path: string | null;
  /** Status of the response. `null` if the connection ended before the response began. */
  status: number | null;
  /** How the response ended. */
  outcome: RequestOutcome;
  /** Time from the headers of the request to the end of the response, in milliseconds. */
  elapsed: number;
  /**
   * Address of the caller, such as `203.0.113.7` or `2001:db8::1`: that of the connection, or one that a trusted proxy
   * reports. `null` if the connection ended before its address was read.
   */
  clientAddress: string | null;
  /** Number of bytes sent on the connection during the request, headers included. */
  bytesSent: number;
}

/**
 * How a response ended.
 *
 * `finished`: everything was sent. `aborted`: the connection ended early, because the caller, a limit of `serve` or
 * `close` ended it. `failed`: the body could not be read to its end, and the connection was reset.
 */
export type RequestOutcome = 'finished' | 'aborted' | 'failed';

/** Reports requests after their responses have ended. */
export interface RequestObserver {
  observe(outgoing: NodeResponse): void;
  /** Reports a request for which Node created no response. */
  report(
    incoming: Pick<IncomingMessage, 'socket'> & Partial<IncomingMessage>,
    event: Pick<RequestEndEvent, 'requestId' | 'status'> & Partial<RequestEndEvent>,
  ): void;
}

export function createRequestObserver(
  onEnd: (event: RequestEndEvent, request?: Request | undefined) => void,
  clientAddressOf: ClientAddressOf,
): RequestObserver {
  const addressOf = ({ socket, headers }: Parameters<RequestObserver['report']>[0]) =>
    clientAddressOf(socket.remoteAddress, headers?.['x-forwarded-for']?.toString());
  return {
    observe(outgoing) {
      const { req: incoming } = outgoing;
      const { socket, method = null, url = '' } = incoming;
      const sentBefore = socket.bytesWritten;
      outgoing.once('close', () => {
        const event = {
          requestId: outgoing.requestId,
          method,
          path: safePathOf(url),
          status: outgoing.headersSent ? outgoing.statusCode : null,
          outcome: outcomeOf(outgoing),
          elapsed: performance.now() - outgoing.arrivedAt,
          clientAddress: addressOf(incoming),
          bytesSent: socket.bytesWritten - sentBefore,
        };
        quietly(() => onEnd(event, outgoing.request));
      });
    },
    report(incoming, event) {
      const unknown = { method: null, path: null, outcome: 'finished', elapsed: 0, bytesSent: 0 } as const;
      quietly(() => onEnd({ ...unknown, clientAddress: addressOf(incoming), ...event }));
    },
  };
}

function outcomeOf({ writableFinished, hasFailed }: NodeResponse): RequestOutcome {
  if (writableFinished) return 'finished';
  return hasFailed ? 'failed' : 'aborted';
}
