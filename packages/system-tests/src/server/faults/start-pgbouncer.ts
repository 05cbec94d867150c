import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { type Daemon, startDaemon } from '../start-daemon.ts';

/** PgBouncer of Debian in transaction mode, in front of a PostgreSQL server. */
export interface PgBouncer {
  /** URL of the database behind it. */
  url: string;
  /** Ends it at once, as a crash does. */
  crash(): Promise<void>;
  startAgain(): Promise<void>;
}

/** Starts it with this number of connections to PostgreSQL. */
export async function startPgBouncer(postgresUrl: string, connections: number): Promise<PgBouncer> {
  const folder = makeFolder();
  const port = await freePort();
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(new URL(postgresUrl), port, connections));
  const start = () => startDaemon(['pgbouncer', '-q', 'pgbouncer.ini'], folder, port);
  let daemon: Daemon = await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/memories`,
    crash: () => daemon.end('SIGKILL'),
    async startAgain() {
      daemon = await start();
    },
  };
}

function configuration({ hostname, port, username, pathname }: URL, ownPort: number, connections: number): string {
  return `[databases]
memories = host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 100
`;
}
