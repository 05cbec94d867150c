import type { MemoryClient, MemoryClientOptions } from '@memory-read/client';
import type { OutputOptions } from '../terminal/output-options.ts';
import { waitingHooks } from '../terminal/waiting-hooks.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { type Connection, readConnection } from './read-connection.ts';

/** Returns the client of the server from options, environment or configuration. It shows that its first call takes long. */
export async function openClient(options: ConnectionOptions & OutputOptions): Promise<MemoryClient> {
  const connection = await readConnection(options);
  const hooks = waitingHooks(connection.baseUrl, options);
  return connect({ ...connection, mediaOrigins: options.mediaOrigin, hooks });
}

/** Returns the client of a server. Its code is loaded on demand, because help and usage errors do not need it. */
export async function connect(
  connection: Connection & Pick<MemoryClientOptions, 'mediaOrigins' | 'hooks' | 'retries' | 'validation'>,
): Promise<MemoryClient> {
  const { MemoryClient: Client } = await import('@memory-read/client');
  return new Client(connection);
}
