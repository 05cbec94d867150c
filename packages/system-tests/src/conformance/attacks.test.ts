import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type ConformanceReport, type RuleResult, runConformance } from '@memory-read/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { checkAwkwardServers } from './awkward-servers.ts';

const apiKey = 'KEYSECRET_0123456789';
const keys = { apiKey, otherAccountApiKey: `${apiKey}_other`, emptyAccountApiKey: `${apiKey}_empty` };

test('whatever a server answers, from one request to the next, a run ends with a report that holds no key', () =>
  checkAwkwardServers(runCounts.awkwardServers.short));

test('a body that stops half way ends with the time of its request, and three of them end the run', async () => {
  const baseUrl = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[{"id":');
  });
  const report = await runConformance({ baseUrl, ...keys, timeout: 300 });
  expect(report).toMatchObject({ passed: false, access: 'none', requests: 3 });
  expect(resultOf(report, '4.1 Success')).toMatchObject({
    status: 'failed',
    evidence: { received: 'no answer: no whole answer came in time' },
  });
});

test('a redirect that leads to itself is not followed', async () => {
  let requests = 0;
  const baseUrl = await serve(({ url }, response) => {
    requests += 1;
    response.writeHead(307, { location: url }).end();
  });
  const report = await runConformance({ baseUrl, ...keys });
  expect(report).toMatchObject({ passed: false, access: 'none', requests });
  expect(resultOf(report, '4.1 Success')).toMatchObject({
    evidence: { received: '307, without content type, no body' },
  });
});

test('a body that unpacks to more than a run reads is given up, and no rule is said to be broken by it', async () => {
  const bomb = Buffer.concat(Array(300).fill(gzipSync(Buffer.alloc(1024 * 1024, ' '))));
  const baseUrl = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  });
  const report = await runConformance({ baseUrl, ...keys });
  expect(report).toMatchObject({ passed: false, access: 'none', requests: 3 });
  expect(resultOf(report, '4.1 Success')).toMatchObject({
    status: 'skipped',
    reason: expect.stringMatching(/its body is longer than 256 MiB, which is more than a run looks at$/),
  });
});

test.each([
  ['[', ']'],
  ['{},', ''],
])('three million times %s is not parsed', async (open, close) => {
  const body = `[${open.repeat(3_000_000)}${close.repeat(3_000_000)}{}]`;
  const baseUrl = await serve((_request, response) => response.setHeader('content-type', 'application/json').end(body));
  const report = await runConformance({ baseUrl, ...keys });
  expect(resultOf(report, '4.1 Success')).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('more than 2 million arrays and objects'),
  });
});

test('an error that is nested deeply is told without its text', async () => {
  const baseUrl = await serve((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('['.repeat(9_999) + ']'.repeat(9_999));
  });
  const report = await runConformance({ baseUrl, ...keys });
  const received = '400, application/json, an error of 19998 characters';
  expect(resultOf(report, '4.1 Success')).toMatchObject({ evidence: { received } });
});

test('very many broken memories are told by the first three', async () => {
  const body = `[${Array(100_000).fill('{}').join()}]`;
  const baseUrl = await serve((_request, response) => response.setHeader('content-type', 'application/json').end(body));
  const report = await runConformance({ baseUrl, apiKey });
  expect(resultOf(report, '2.1')).toMatchObject({ evidence: { received: expect.stringMatching(/; and 11997 more$/) } });
  expect(JSON.stringify(report).length).toBeLessThan(100_000);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function resultOf({ results }: ConformanceReport, rule: string): RuleResult | undefined {
  return results.find((result) => result.rule === rule);
}
