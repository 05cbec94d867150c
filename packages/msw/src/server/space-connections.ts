import type { Socket } from 'node:net';
import { resetNow } from './faults/wire-connection.ts';
import type { WireConnection } from './faults/wire-turn.ts';

/** Connections of a space. */
export interface SpaceConnections {
  /** Returns the connection of a socket. It has one listener for its end, however many requests arrive on it. */
  of(socket: Socket): WireConnection;
  /** Marks a connection on which a response is in flight, and one on which it has ended. */
  occupy(socket: Socket): void;
  release(socket: Socket): void;
  /** Resets the connections with a response in flight, so that no body looks complete. */
  resetBusy(): void;
  /** Ends all connections to the ports of the space. */
  endAll(): void;
}

export function createSpaceConnections(): SpaceConnections {
  const connections = new Map<Socket, WireConnection>();
  const busy = new Set<Socket>();
  return {
    of(socket) {
      const known = connections.get(socket);
      if (known !== undefined) return known;
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => {
          connections.delete(socket);
          busy.delete(socket);
          resolve();
        });
      });
      const connection = { socket, closed };
      connections.set(socket, connection);
      return connection;
    },
    occupy: (socket) => void busy.add(socket),
    release: (socket) => void busy.delete(socket),
    resetBusy() {
      for (const socket of busy) resetNow({ socket });
    },
    endAll() {
      for (const socket of busy) resetNow({ socket });
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}
