import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { type ServerHost, startServerHost } from './start-server-host.ts';

/** The server over a SQLite file of its own, below a path. */
export async function startSqliteHost(): Promise<ServerHost> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-parity-'));
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  const host = await startServerHost('server over SQLite', store, '/api');
  return {
    ...host,
    async close() {
      await host.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
