import { join } from 'node:path';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { onTestFinished } from 'vitest';
import { type ServerHost, startServerHost } from './start-server-host.ts';

/** The server over a SQLite file that is removed with the test, below a path. */
export function startSqliteHost(): Promise<ServerHost> {
  const store = openSqliteStore({ path: join(makeFolder(), 'memories.sqlite') });
  onTestFinished(() => store.close());
  return startServerHost('server over SQLite', store, '/api');
}
