import type { RequestListener } from 'node:http';
import { type ConformanceOptions, runConformance } from '@memory-read/conformance';
import { listen } from '@memory-read/test-kit/listen';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { awkwardKeys, checkAwkwardServers } from './awkward-servers.ts';

test('whatever a server returns, a run ends with a report that contains no key', () =>
  checkAwkwardServers(runCounts.awkwardServers.short));

test('a body that stalls ends with the request timeout, and three of them end the run', async () => {
  const { report, success } = await attack(
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('[{"id":'),
    { timeout: 300 },
  );
  expect(report).toMatchObject({ passed: false, access: 'none', requests: 3 });
  const received = 'no response: no complete response arrived in time';
  expect(success).toMatchObject({ status: 'failed', evidence: { received } });
});

test.each([
  ['[', ']'],
  ['{},', ''],
])('does not parse three million times %s', async (open, close) => {
  const { success } = await attack(sending(200, `[${open.repeat(3_000_000)}${close.repeat(3_000_000)}{}]`));
  expect(success).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('more than 2 million arrays and objects'),
  });
});

test('reports a deeply nested error without its text', async () => {
  const { success } = await attack(sending(400, '['.repeat(9_999) + ']'.repeat(9_999)));
  expect(success).toMatchObject({ evidence: { received: '400, application/json, an error of 19998 characters' } });
});

test('reports very many invalid memories by the first three', async () => {
  const { report } = await attack(sending(200, `[${Array(100_000).fill('{}').join()}]`));
  const received = expect.stringMatching(/; and 11997 more$/);
  expect(report.results.find(({ rule }) => rule === '2.1')).toMatchObject({ evidence: { received } });
  expect(JSON.stringify(report).length).toBeLessThan(100_000);
});

function sending(status: number, body: string): RequestListener {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Runs all rules against a server. `success` is the result of the first rule that reads. */
async function attack(listener: RequestListener, options: Partial<ConformanceOptions> = {}) {
  await using server = await listen(listener);
  const report = await runConformance({ baseUrl: server.url, ...awkwardKeys, ...options });
  return { report, success: report.results.find(({ rule }) => rule === '4.1 Success') };
}
