import { createMemories } from '@memory-read/fixtures';
import { apiKeyAuthenticator, createApiKey, createInMemoryStore } from '@memory-read/server';

const store = createInMemoryStore();
const { key, keyId, keyHash } = createApiKey();
await store.putAccount({ userId: 'user_1' });
await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
await store.putMemories('user_1', createMemories({ count: 3, seed: 7, now: '2026-01-01T00:00:00Z' }));
const authenticate = apiKeyAuthenticator(store);
const mediaSigner = { sign: () => 'https://media.example.com/signed' };

// #region metrics
import { createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { Histogram, Registry } from 'prom-client';

const registry = new Registry();
const durations = new Histogram({
  name: 'memory_api_request_duration_seconds',
  help: 'From the request to the beginning of its response.',
  labelNames: ['operation', 'status'],
  registers: [registry],
});
const api = createMemoryApi({
  store,
  authenticate,
  mediaSigner,
  onRequest({ operation, status, elapsed }) {
    durations.observe({ operation: operation ?? 'none', status }, elapsed / 1000);
  },
});

const server = await serve({ fetch: api.respond, port: 0 });
const metrics = await serve({
  async fetch() {
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
  },
  port: 0, // a separate port, for Prometheus only
});
// #endregion

const ask = async (path: string) => (await fetch(server.url + path, { headers: { 'x-api-key': key } })).arrayBuffer();
for (const path of ['/v1/memories', '/v1/memories', '/v1/memories/none', '/nowhere']) await ask(path);
const scraped = await (await fetch(metrics.url)).text();
for (const line of scraped.split('\n').filter((text) => /_count\b/.test(text))) console.log(line);
await Promise.all([server.close(), metrics.close()]);
