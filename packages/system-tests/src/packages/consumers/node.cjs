// The packages are ESM only; require() of them works on every Node that they support.
const { strict: assert } = require('node:assert');
const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const { MemoryClient } = require('@memory-read/client');
const { memoryListSchema } = require('@memory-read/contract');
const { createMemories } = require('@memory-read/fixtures');
const { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } = require('@memory-read/server');
const { createMemoryMock } = require('@memory-read/msw');
const { setupMemoryMock } = require('@memory-read/msw/node');

for (const name of readdirSync(join(__dirname, 'node_modules/@memory-read'))) {
  const { exports } = require(`@memory-read/${name}/package.json`);
  // MSW refuses the entry for browsers in Node, and Node cannot load YAML and media.
  const subpaths = Object.keys(exports).filter((subpath) => !/^\.\/(browser|.+\.yaml|.+\*)$/.test(subpath));
  for (const subpath of subpaths) require(`@memory-read/${name}${subpath.slice(1)}`);
}

async function listInMemory() {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', createMemories({ count: 3, seed: 1, now: '2026-01-01T00:00:00Z' }));
  const { keyId, key, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  const mediaSigner = { sign: ({ objectKey }) => `https://media.example/${objectKey}` };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const client = new MemoryClient({
    baseUrl: 'https://api.example',
    apiKey: key,
    fetch: (input, init) => api.fetch(new Request(input, init)),
  });
  const memories = await client.listMemories();
  assert.equal(memoryListSchema['~standard'].validate(memories).issues, undefined);
  assert.equal(memories.length, 3);
  assert.equal(typeof setupMemoryMock, 'function');
  assert.equal(createMemoryMock().memories.all().length, 12);
  console.log('cjs works');
}

listInMemory().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
