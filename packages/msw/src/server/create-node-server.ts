import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ConnectionHook, Responder } from './create-responder.ts';

/** What decides about the connections of a server. */
interface ServerConnections extends Pick<Responder, 'open'> {
  /** Certificate and key as PEM texts. */
  readonly tls: { cert: string; key: string } | undefined;
}

/** Returns what creates the server of Node for a space. */
export function nodeServerOf({ tls, open }: ServerConnections): NonNullable<ConnectionHook['createServer']> {
  return (options, listener) => {
    const server: Server =
      tls === undefined ? createServer(options, listener) : createTlsServer({ ...options, ...tls }, listener);
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    return server.on('connection', (socket: Socket) => {
      open(socket, () => {
        for (const listen of listeners) listen.call(server, socket);
      });
    });
  };
}
