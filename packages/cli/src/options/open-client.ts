import type { MemoryClient } from '@memory-read/client';
import type { ConnectionOptions } from './connection-options.ts';
import { type Connection, readConnection } from './read-connection.ts';

/** The client of the server that options, environment or configuration name. */
export function openClient(options: ConnectionOptions): Promise<MemoryClient> {
  return connect(readConnection(options));
}

/** The client of a server; its code is loaded no earlier, because help and wrong usage have no use of it. */
export async function connect(connection: Connection): Promise<MemoryClient> {
  const { MemoryClient: Client } = await import('@memory-read/client');
  return new Client(connection);
}
