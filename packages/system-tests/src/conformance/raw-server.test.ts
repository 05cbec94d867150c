import { runConformance } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { runKeys } from './raw-server/run-keys.ts';
import { startRawServer } from './raw-server/start-raw-server.ts';

test('a server that is written from the specification passes every rule, with fewer than 60 requests', async () => {
  const server = await startRawServer();
  const report = await runConformance({ baseUrl: server.url, ...runKeys, media: true, profile: 'reference' });
  await server.close();
  expect(report.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report).toMatchObject({ passed: true, access: 'granted' });
  expect(report.requests).toBeLessThan(60);
});
