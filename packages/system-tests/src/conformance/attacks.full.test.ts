import { runConformance } from '@memory-read/conformance';
import { checkAwkwardServers } from '@memory-read/integration-tests/conformance/awkward-servers';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService } from '@memory-read/test-kit/memory-service';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { manyRecords } from '../server/serving/many-records.ts';

const aSlowMachine = 600_000;

test('a list of 100,000 memories is judged as any other, with fewer than 60 requests', {
  timeout: aSlowMachine,
}, async () => {
  const store = createInMemoryStore();
  const { key: apiKey } = await addAccount(store, 'ada', [...manyRecords(100_000, 'many')]);
  const service = createMemoryService(store, 'https://api.example');
  const report = await runConformance({
    baseUrl: 'https://api.example',
    apiKey,
    profile: 'reference',
    timeout: aSlowMachine,
    totalTimeout: aSlowMachine,
    fetch: async (input, init) => service.fetch(new Request(input, init)),
  });
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report).toMatchObject({ passed: true, access: 'granted' });
  expect(report.requests).toBeLessThan(60);
});

test('whatever many servers answer, a run ends with a report that holds no key', { timeout: aSlowMachine }, () =>
  checkAwkwardServers(runCounts.awkwardServers.full),
);
