import type { Socket } from 'node:net';

/** Resets a connection, so that no body looks complete. Node cannot reset one of TLS, whose end without a message says the same. */
export function resetConnection(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
