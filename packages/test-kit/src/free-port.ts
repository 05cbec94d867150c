import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a port that was free a moment ago, for a server that must know its address before it listens.
 *
 * It lies below those that systems give to clients and to servers without a port of their own, which would take it
 * in between.
 */
export async function freePort(): Promise<number> {
  const port = 11_000 + Math.floor(Math.random() * 20_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
