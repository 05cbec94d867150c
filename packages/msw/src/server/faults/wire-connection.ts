import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { WireConnection } from './wire-turn.ts';

/** Time in which the peer reads what was sent before a reset. Some systems throw away what it has not read. */
const FLUSH_MS = 20;

/** Sends bytes. Returns false if the connection closed before all of them were handed to the operating system. */
export function send({ socket }: Pick<WireConnection, 'socket'>, bytes: Uint8Array): Promise<boolean> {
  if (!socket.writable) return Promise.resolve(false);
  return new Promise((resolve) => {
    const onClose = () => resolve(false);
    socket.once('close', onClose);
    socket.write(bytes, (error) => {
      socket.off('close', onClose);
      // A client that reads fast must not keep the event loop from others.
      setImmediate(resolve, !error);
    });
  });
}

/** Waits, at most until the connection closes. The timer does not keep the process alive. */
export async function pause({ closed }: WireConnection, milliseconds: number): Promise<void> {
  await Promise.race([setTimeout(milliseconds, undefined, { ref: false }), closed]);
}

/** Resets the connection when the peer has had time to read what was sent. */
export async function reset(connection: WireConnection): Promise<void> {
  await pause(connection, FLUSH_MS);
  resetNow(connection);
}

/** Resets the connection, also if not all bytes were read. */
export function resetNow({ socket }: Pick<WireConnection, 'socket'>): void {
  // Node resets only plain TCP. A connection of TLS ends without its closing message instead.
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
