import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import type { NodeResponse, ResponseSource } from './node-response.ts';

/** What the mock server decides about connections and their requests. It is not a part of the interface for users. */
export interface ConnectionHook {
  /** Creates the server of Node, which can be one of `node:https`. Default: `createServer` of `node:http`. */
  createServer?: (
    options: ServerOptions<typeof IncomingMessage, typeof NodeResponse>,
    listener: RequestListener<typeof IncomingMessage, typeof NodeResponse>,
  ) => Server;
  /**
   * Called when the turn of a request has come, before any check of it. Returns what takes the place of `fetch` for it. That
   * can write its bytes on the socket.
   */
  begin(outgoing: NodeResponse): ResponseSource | undefined;
}
