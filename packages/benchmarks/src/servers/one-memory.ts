/** One memory in the working memory: with `mock` as argument behind the mock server, otherwise behind `serve`. */
import { startMockServer } from '@memory-read/msw/server';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { announce } from '../loopback/listen.ts';
import { apiKey, mediaSigner } from '../memories/account.ts';
import { fillStore } from '../memories/files.ts';
import { smallRecord } from '../memories/small-records.ts';

if (process.argv[2] === 'mock') {
  const { baseUrl } = await startMockServer({ apiKey, memories: [smallRecord(0)] });
  announce(Number(new URL(baseUrl).port));
} else {
  const store = createInMemoryStore();
  await fillStore(store, [smallRecord(0)]);
  const { respond } = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  announce((await serve({ fetch: respond, port: 0 })).port);
}
