/**
 * node --conditions=@memory-read/source packages/integration-tests/src/server/print-functions.ts
 *
 * Prints the functions of the server that one GET of a memory runs, from the socket to SQLite, by file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKeyAuthenticator, createHmacMediaSigner, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { printFunctions } from '../architecture/print-functions.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-read-functions-'));
const store = openSqliteStore({ path: join(folder, 'store.sqlite') });
const audio = { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' };
const { key } = await addAccount(store, 'ada', [sampleRecord({ id: 'mem_1', media: { audio } })]);
const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
const mediaSigner = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1/media', secrets });
const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
const server = await serve({ fetch: api.respond, port: 0 });

// The first request opens the connection and prepares the statements.
await getMemory();
await printFunctions(new URL('../../../server/src/', import.meta.url), getMemory);
await server.close();
await store.close();
rmSync(folder, { recursive: true });

async function getMemory(): Promise<void> {
  const response = await fetch(`${server.url}/v1/memories/mem_1`, { headers: { authorization: `Bearer ${key}` } });
  await response.json();
  if (response.status !== 200) throw new Error(`Failed to get a memory: the status is ${response.status}.`);
  // The server ends the request after the caller has its last byte.
  await new Promise(setImmediate);
}
