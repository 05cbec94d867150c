import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the open connections of a server. A further one takes the place of the one that has been without a request for
 * longest, so that silent connections cannot lock others out. If all have a request, the further one is closed.
 */
export function limitConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const [replaced = socket] = idle;
      forget(replaced);
      replaced.destroy();
      if (replaced === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
}
