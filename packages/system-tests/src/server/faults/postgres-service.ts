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

/** Number of memories in the account of {@link startReplicas}. */
export const memoryCount = 250;

/** Creates tables and an account with memories, and returns its key. */
export async function fillPostgres(url: string, records: Iterable<MemoryRecord>, userId = 'ada'): Promise<string> {
  const pool = new Pool({ connectionString: url });
  await migratePostgresStore({ pool });
  const { key } = await addAccount(createPostgresStore({ pool }), userId, records);
  await pool.end();
  return key;
}

/** Replicas of the built command over one PostgreSQL server with an account. */
export interface Replicas {
  postgres: PostgresServer;
  replicas: ServeProcess[];
  key: string;
  close(): Promise<void>;
}

export async function startReplicas(count: number): Promise<Replicas> {
  const postgres = await startPostgres();
  const key = await fillPostgres(postgres.url, sampleRecords(memoryCount));
  const replicas = await Promise.all(Array.from({ length: count }, () => startReplica(postgres.url, tmpdir())));
  const close = async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await postgres.stop();
  };
  return { postgres, replicas, key, close };
}

/** The built command over PostgreSQL. Its reports of failures are not shown. */
export function startReplica(url: string, folder: string, args: readonly string[] = []): Promise<ServeProcess> {
  const data = ['--postgres', url, '--media-dir', folder, '--media-secrets', 'env:MEDIA_SECRETS'];
  return startServe([...data, ...args], { env: { MEDIA_SECRETS: secrets }, stderr: 'ignore' });
}

/** Sends a request with the key of the account. After the timeout it rejects with a `TimeoutError`. */
export function askReplica({ baseUrl }: ServeProcess, key: string, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(timeoutMs) });
}
