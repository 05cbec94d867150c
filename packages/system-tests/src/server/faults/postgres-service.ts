import { createApiKey } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';

const secrets = JSON.stringify([{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }]);

const patienceMs = 15_000;

/** How many memories the account has that {@link fillPostgres} makes. */
export const memoryCount = 250;

/** Makes tables and an account with memories, and gives its key. */
export async function fillPostgres(url: string): Promise<string> {
  const pool = new Pool({ connectionString: url });
  await migratePostgresStore({ pool });
  const store = createPostgresStore({ pool });
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', sampleRecords(memoryCount));
  const { keyId, key, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'ada' });
  await pool.end();
  return key;
}

/** The built command, serving what is in PostgreSQL; what it reports of failures is not shown. */
export function startReplica(url: string, folder: string): Promise<ServeProcess> {
  const args = ['--postgres', url, '--media-dir', folder, '--media-secrets', 'env:MEDIA_SECRETS'];
  return startServe(args, { env: { MEDIA_SECRETS: secrets }, stderr: 'ignore' });
}

/** Asks as the owner of the memories; who waits too long is told by a `TimeoutError`. */
export function askReplica({ baseUrl }: ServeProcess, key: string, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(patienceMs) });
}
