/** One memory in the working memory: with `mock` as argument behind the mock server, otherwise behind `serve`. */
import { startMockServer } from '@memory-read/msw/server';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi, hashApiKey } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { announce } from '../loopback/listen.ts';
import { apiKey, userId } from '../memories/account.ts';
import { smallRecord } from '../memories/small-records.ts';
import { mediaSigner } from './media-signer.ts';

if (process.argv[2] === 'mock') {
  const { baseUrl } = await startMockServer({ apiKey, memories: [smallRecord(0)] });
  announce(Number(new URL(baseUrl).port));
} else {
  const store = createInMemoryStore();
  await store.putAccount({ userId });
  await store.putMemories(userId, [smallRecord(0)]);
  await store.putApiKey({ keyId: 'key_1', keyHash: hashApiKey(apiKey), userId });
  const { respond } = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  announce((await serve({ fetch: respond, port: 0 })).port);
}
