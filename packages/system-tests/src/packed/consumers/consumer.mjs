// Lists and reads over a real server with nothing but what the packed packages export.
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { memorySchema } from '@memory-read/contract';
import openApiDocument from '@memory-read/contract/openapi.json' with { type: 'json' };
import { createMemories } from '@memory-read/fixtures';
import { apiKeyAuthenticator, createApiKey, createHmacMediaSigner, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { openSqliteStore } from '@memory-read/server/sqlite';

const folder = mkdtempSync(join(tmpdir(), 'memory-read-'));
const store = await openSqliteStore({ path: join(folder, 'memories.sqlite') });
await store.putAccount({ userId: 'user_1' });
await store.putMemories('user_1', createMemories({ count: 5, seed: 1, now: '2026-01-01T00:00:00Z' }));
const { keyId, key, keyHash } = createApiKey();
await store.putApiKey({ keyId, keyHash, userId: 'user_1' });

const mediaSigner = createHmacMediaSigner({
  baseUrl: 'http://127.0.0.1/media',
  secrets: [{ id: 'a', secret: 'a secret of the consumer' }],
});
const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
const server = await serve({ fetch: api.fetch, port: 0 });

const client = new MemoryClient({ baseUrl: server.url, apiKey: key });
const memories = await client.listMemories();
assert.equal(memories.length, 5);
const memory = await client.getMemory(memories[0].id);
assert.deepEqual(memorySchema['~standard'].validate(memory).issues, undefined);
await assert.rejects(client.getMemory('mem_unknown'), (error) => isMemoryApiError(error) && error.code === 'not_found');
assert.equal(openApiDocument.info.version, '0.1.0');

await server.close();
await store.close();
rmSync(folder, { recursive: true });
console.log('esm works');
