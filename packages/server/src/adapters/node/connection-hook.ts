import type { Socket } from 'node:net';
import type { NodeResponse, ResponseSource } from './node-response.ts';

/** What the mock server decides about connections and their requests. It is not a part of the interface for users. */
export interface ConnectionHook {
  /** Certificate and key as PEM texts. */
  readonly tls?: { cert: string; key: string } | undefined;
  /** Called for each connection before a byte of it is read. It is read from the call of `read` on. */
  open(socket: Socket, read: () => void): void;
  /**
   * Called when the turn of a request has come, before any check of it. Returns what takes the place of `fetch` for it. That
   * can write its bytes on the socket.
   */
  begin(outgoing: NodeResponse): ResponseSource | undefined;
}
