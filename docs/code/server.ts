import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMemoryApi,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';

const store = createInMemoryStore();
await store.putAccount({ userId: 'user_1' });

const { key, keyId, keyHash } = createApiKey();
await store.putApiKey({ keyId, keyHash, userId: 'user_1' });

const secrets = [{ id: '2026-01', secret: process.env.MEDIA_SECRET ?? '' }]; // at least 16 random bytes
const mediaSigner = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets });
const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });

const server = await serve({ fetch: api.respond, port: 0 });
console.log(`Listening on ${server.url} for ${key.slice(0, 4)}…`);
await server.close();
