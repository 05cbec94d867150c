import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a TCP server, with a network that can become silent. */
export interface TcpProxy {
  port: number;
  /** Returns the number of connections that the client has open. */
  open(): number;
  /** Returns the number of connections that have ended. */
  ended(): number;
  /** From now on, bytes of all connections are lost, and new connections are accepted. No connection ends. */
  swallow(): void;
  /** Forwards new connections again. Those that were open before remain silent. */
  forward(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  isSilent: boolean;
}

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let endedCount = 0;
  let isSilent = false;
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { client, server, isSilent };
    pairs.add(pair);
    forward(pair, client, server);
    forward(pair, server, client);
    client.on('close', () => {
      pairs.delete(pair);
      endedCount += 1;
      server.destroy();
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    open: () => pairs.size,
    ended: () => endedCount,
    swallow() {
      isSilent = true;
      for (const pair of pairs) pair.isSilent = true;
    },
    forward() {
      isSilent = false;
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client } of pairs) client.destroy();
      await closed;
    },
  };
}

function forward(pair: Pair, from: Socket, to: Socket): void {
  from.on('error', () => {});
  from.on('data', (bytes) => {
    if (!pair.isSilent) to.write(bytes);
  });
  from.on('close', () => {
    if (!pair.isSilent) to.destroy();
  });
}

/** Returns the URL of the server behind the proxy. */
export function throughProxy(url: string, { port }: Pick<TcpProxy, 'port'>): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}
