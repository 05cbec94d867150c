// Uses a real server with only the exports of the packed packages.
import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { mediaUrlExpiresAt } from '@memory-read/client/media-url';
import { saveMedia } from '@memory-read/client/node';
import { normalizeTranscript, toVtt } from '@memory-read/client/transcript';
import { runConformance } from '@memory-read/conformance';
import { memorySchema } from '@memory-read/contract';
import openApiDocument from '@memory-read/contract/openapi.json' with { type: 'json' };
import { createMemories } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { setupMemoryMock } from '@memory-read/msw/node';
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
assert.equal(toVtt(memory, { cues: 'stored' }).split(' --> ').length - 1, normalizeTranscript(memory).cues.length);
await assert.rejects(client.getMemory('mem_unknown'), (error) => isMemoryApiError(error) && error.code === 'not_found');
await assert.rejects(saveMedia(client, 'mem_unknown', 'audio', join(folder, 'a.wav')), { code: 'not_found' });
assert.equal(mediaUrlExpiresAt('https://media.example/a?expires=1795183200')?.getTime(), 1_795_183_200_000);
const report = await runConformance({ baseUrl: server.url, apiKey: key });
assert.deepEqual(
  report.results.filter(({ status }) => status === 'failed'),
  [],
);
assert.equal(report.passed, true);
assert.equal(openApiDocument.info.version, '0.1.0');

const files = showcaseMemories({ now: new Date() }).flatMap(({ media }) => Object.values(media));
assert.equal(files.length, 7);
for (const { object_key } of files) {
  const url = import.meta.resolve(`@memory-read/fixtures/showcase/media/${object_key}`);
  assert(readFileSync(new URL(url)).length > 1000);
}

await server.close();

const runs = [];
const hooks = { beforeAll: (run) => run(), afterEach: (run) => runs.push(run), afterAll: (run) => runs.push(run) };
const mock = setupMemoryMock({ hooks });
const mocked = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
assert.equal((await mocked.listMemories()).length, 12);
for (const run of runs) await run();
assert.equal(mock.requests.length, 0);

await store.close();
rmSync(folder, { recursive: true });
console.log('esm works');
