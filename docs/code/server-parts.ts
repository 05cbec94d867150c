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
await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
// #endregion

// #region api-key-authenticator
const authenticate = apiKeyAuthenticator(store);
console.log(await authenticate(key)); // { userId: 'user_1', keyId: 'key_…' }
// #endregion

// #region create-memory-api
const api = createMemoryApi({ store, authenticate, mediaSigner });
const request = new Request('http://localhost/v1/memories', { headers: { 'x-api-key': key } });
const response = await api.fetch(request);
// #endregion
console.log(response.status, ((await response.json()) as unknown[]).length);

// #region serve
const server = await serve({ fetch: api.respond, port: 0 });
console.log(`The API is at ${server.url}/v1`);
await server.close(); // waits for responses in flight
// #endregion

// #region to-stored-memory
const rows = records.map((record) => toStoredMemory('user_1', record));
console.log(rows[0]?.started_at); // UTC, with milliseconds
// #endregion

// #region fake-clock
const clock = createFakeClock('2026-01-01T12:00:00Z');
await store.putApiKey({ keyId, keyHash, userId: 'user_1', expiresAt: new Date('2026-01-01T13:00:00Z') });
clock.advance(3_600_000);
console.log(await apiKeyAuthenticator(store, { clock })(key)); // undefined: the key has expired
// #endregion
