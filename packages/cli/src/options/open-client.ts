import type { MemoryClient, MemoryClientOptions } from '@memory-read/client';
import type { ConnectionOptions } from './connection-options.ts';
import { type Connection, readConnection } from './read-connection.ts';

/** Returns the client of the server from options, environment or configuration. */
export function openClient(options: ConnectionOptions): Promise<MemoryClient> {
  return connect({ ...readConnection(options), mediaOrigins: options.mediaOrigin });
}

/** Returns the client of a server. Its code is loaded on demand, because help and usage errors do not need it. */
export async function connect(
  connection: Connection & Pick<MemoryClientOptions, 'mediaOrigins'>,
): Promise<MemoryClient> {
  const { MemoryClient: Client } = await import('@memory-read/client');
  return new Client(connection);
}
