import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server that accepts connections and sends nothing. */
export async function startSilentPostgres(): Promise<{ href: string; connected: Promise<unknown> }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  const connected = once(server, 'connection');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { href: `postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/memories`, connected };
}
