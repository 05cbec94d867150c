import { createMemories } from '@memory-read/fixtures';
import {
  apiKeyAuthenticator,
  createApiKey,
  createInMemoryStore,
  createMemoryApi,
  toStoredMemory,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';

const records = createMemories({ count: 3, seed: 7, now: '2026-01-01T00:00:00Z' });
const mediaSigner = { sign: () => 'https://media.example.com/signed' };

// #region in-memory-store
const store = createInMemoryStore();
await store.putAccount({ userId: 'user_1' });
await store.putMemories('user_1', records);
// #endregion

// #region create-api-key
const { key, keyId, keyHash } = createApiKey();
await store.putApiKey({ keyId, keyHash, userId: 'user_1', expiresAt: new Date('2027-01-01T00:00:00Z') });
// #endregion

// #region fake-clock
const clock = createFakeClock('2026-12-31T23:00:00Z');
const authenticate = apiKeyAuthenticator(store, { clock });
const before = await authenticate(key);
clock.advance(3_600_000); // the key expires
const after = await authenticate(key);
// #endregion
console.log(before, after);
clock.set('2026-01-01T00:00:00Z');

// #region api-key-authenticator
const account = await apiKeyAuthenticator(store)(key);
console.log(account?.userId);
// #endregion

// #region create-memory-api
const api = createMemoryApi({ store, authenticate, mediaSigner });
const request = new Request('http://localhost/v1/memories', { headers: { 'x-api-key': key } });
const response = await api.fetch(request);
// #endregion
console.log(response.status, ((await response.json()) as unknown[]).length);

// #region serve
const server = await serve({ fetch: api.fetch, port: 0 });
const health = await fetch(`${server.url}/v1/memories`);
await server.close();
// #endregion
console.log(health.status);

// #region to-stored-memory
const rows = records.map((record) => toStoredMemory('user_1', record));
console.log(rows[0]?.started_at, rows[0]?.transcriptJson);
// #endregion
