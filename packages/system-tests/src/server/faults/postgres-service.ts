import { tmpdir } from 'node:os';
import type { MemoryRecord } from '@memory-read/contract';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';

const secrets = JSON.stringify([{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }]);

const timeoutMs = 15_000;

/** Number of memories in the account of {@link startService}. */
export const memoryCount = 250;

/** Creates tables and an account with memories, and returns its key. */
export async function fillPostgres(url: string, records: Iterable<MemoryRecord>, userId = 'ada'): Promise<string> {
  const pool = new Pool({ connectionString: url });
  await migratePostgresStore({ pool });
  const { key } = await addAccount(createPostgresStore({ pool }), userId, records);
  await pool.end();
  return key;
}

/** Processes of the built command over one PostgreSQL server with an account. */
export interface Service {
  postgres: PostgresServer;
  replicas: PostgresServer[];
  processes: ServeProcess[];
  key: string;
  close(): Promise<void>;
}

/** Starts the processes, and as many replicas of the server. With replicas, each process gets the hosts of all servers. */
export async function startService(counts: { processes: number; replicas?: number }): Promise<Service> {
  const postgres = await startPostgres();
  const key = await fillPostgres(postgres.url, sampleRecords(memoryCount));
  const replicas: PostgresServer[] = [];
  while (replicas.length < (counts.replicas ?? 0)) replicas.push(await postgres.startStandby());
  const all = urlOfAll([postgres, ...replicas]);
  const start = () =>
    replicas.length === 0
      ? servePostgres(postgres.url, tmpdir())
      : servePostgres(`${all}?target_session_attrs=read-write`, tmpdir(), ['--postgres-reads', all]);
  const processes = await Promise.all(Array.from({ length: counts.processes }, start));
  const close = async () => {
    await Promise.all(processes.map((process) => process.close()));
    await Promise.all([postgres, ...replicas].map((server) => server.stop()));
  };
  return { postgres, replicas, processes, key, close };
}

/** One URL with the hosts of all servers. */
export function urlOfAll(servers: readonly PostgresServer[]): string {
  return `postgres://postgres@${servers.map(({ url }) => new URL(url).host).join()}/postgres`;
}

/** The built command over PostgreSQL. Its reports of failures are not shown. */
export function servePostgres(url: string, folder: string, args: readonly string[] = []): Promise<ServeProcess> {
  const data = ['--postgres', url, '--media-dir', folder, '--media-secrets', 'env:MEDIA_SECRETS'];
  return startServe([...data, ...args], { env: { MEDIA_SECRETS: secrets }, stderr: 'ignore' });
}

/** Returns the process ids of PostgreSQL for the connections of all `serve` processes. */
export async function connectionsTo({ query }: PostgresServer): Promise<number[]> {
  const rows = await query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'memory-read'`);
  return rows.map(({ pid }) => Number(pid));
}

/** Sends a request with the key of the account. After the timeout it rejects with a `TimeoutError`. */
export function requestWithKey({ baseUrl }: ServeProcess, key: string, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(timeoutMs) });
}
