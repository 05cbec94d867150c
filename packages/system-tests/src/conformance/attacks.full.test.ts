import { runConformance } from '@memory-read/conformance';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi, hashApiKey } from '@memory-read/server';
import { expect, test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { manyRecords } from '../server/serving/many-records.ts';
import { checkAwkwardServers } from './awkward-servers.ts';

const aSlowMachine = 600_000;

test('a list of 100,000 memories is judged as any other, with fewer than 60 requests', {
  timeout: aSlowMachine,
}, async () => {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [...manyRecords(100_000, 'many')]);
  await store.putApiKey({ keyId: 'key', keyHash: hashApiKey('mrk_of_ada'), userId: 'ada' });
  const { fetch } = createMemoryApi({
    store,
    authenticate: apiKeyAuthenticator(store),
    mediaSigner: { sign: async ({ objectKey }) => `https://media.example/${objectKey}?signature=${'x'.repeat(60)}` },
  });
  const report = await runConformance({
    baseUrl: 'https://api.example',
    apiKey: 'mrk_of_ada',
    profile: 'reference',
    timeout: aSlowMachine,
    totalTimeout: aSlowMachine,
    fetch: async (input, init) => fetch(new Request(input, init)),
  });
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report).toMatchObject({ passed: true, access: 'granted' });
  expect(report.requests).toBeLessThan(60);
});

test('whatever many servers answer, a run ends with a report that holds no key', { timeout: aSlowMachine }, () =>
  checkAwkwardServers(runCounts.awkwardServers.full),
);
