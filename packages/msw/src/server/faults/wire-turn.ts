import type { Duplex } from 'node:stream';
import type { PlainResponse } from '@memory-read/server';

/** A connection, with one promise for its end, so that not every step adds a listener. */
export interface WireConnection {
  readonly socket: Duplex;
  readonly closed: Promise<void>;
}

/** A connection on which a fault is played before a byte of it is read. */
export interface ConnectionTurn {
  readonly connection: WireConnection;
  /** Texts that replace `{origin}` (the base URL) and `{elsewhere}` in steps. */
  readonly places: { readonly origin: string; readonly elsewhere: string };
  /** What has been sent so far: the status once its head is complete, and bytes of the body. The player updates it. */
  readonly progress: { status: number | null; bytes: number };
  /** Called once when the fault begins to stall. The result of the player follows when the connection closes. */
  stalls(): void;
}

/** A request on a connection whose response is written by the player, not by Node. */
export interface WireTurn extends ConnectionTurn {
  readonly request: Request;
  /** Version of the request: `1.1` or `1.0`. */
  readonly httpVersion: string;
  /** Returns the response of the mock to the request, or to a changed one. A stream is read once, or cancelled. */
  answer(request?: Request): Promise<PlainResponse>;
}

/**
 * How a response ended. `'sent'`: it was written whole. `'fault'`: the fault ended it. `'aborted'`: the client closed the
 * connection before, or during a stall.
 */
export type WireEnd = 'sent' | 'fault' | 'aborted';
