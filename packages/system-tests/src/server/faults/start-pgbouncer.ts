import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';

/** PgBouncer of Debian in transaction mode, in front of a PostgreSQL server. */
export interface PgBouncer {
  /** URL of the database behind it. */
  url: string;
  /** Ends it at once, as a crash does, and resolves when it has ended. */
  crash(): Promise<void>;
  /** Starts it again after a crash, and resolves when it listens. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
// It refuses to run as root.
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Returns why it cannot be tested here, or `undefined`. With `CI=true`, it must be installed. */
export function missingPgBouncer(): string | undefined {
  const isInstalled = spawnSync('pgbouncer', ['--version'], { env: environment }).status === 0;
  return isInstalled || process.env.CI === 'true' ? undefined : 'pgbouncer is not installed';
}

/** Starts it with this number of connections to PostgreSQL. */
export async function startPgBouncer(postgresUrl: string, connections: number): Promise<PgBouncer> {
  const folder = makeFolder();
  const path = join(folder, 'pgbouncer.ini');
  const port = await freePort();
  writeFileSync(path, configuration(new URL(postgresUrl), port, connections));
  if (isRoot) {
    for (const owned of [folder, path]) chownSync(owned, nobody, nobody);
    chmodSync(folder, 0o755);
  }
  let child = await start(path, port);
  const crash = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/memories`,
    crash,
    async startAgain() {
      child = await start(path, port);
    },
    close: crash,
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

async function start(path: string, port: number): Promise<ChildProcess> {
  const child = spawn('pgbouncer', ['-q', path], {
    env: environment,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`Failed to start pgbouncer: it ended with ${code}. See what it printed.`);
  });
  await Promise.race([failed, untilListening(port)]);
  failed.catch(() => {});
  return child;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await setTimeout(20);
  }
}
