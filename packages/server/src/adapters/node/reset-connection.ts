import type { Socket } from 'node:net';

/**
 * Resets a connection, so that no body looks complete. Node cannot reset a connection of TLS: it ends without the closing
 * message, which not every client reports.
 */
export function resetConnection(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
