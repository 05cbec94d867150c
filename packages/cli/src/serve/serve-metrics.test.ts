import { connect } from 'node:net';
import { listen } from '@memory-read/test-kit/listen';
import { expect, onTestFinished, test } from 'vitest';
import { exchange } from '../testing/exchange.ts';
import { expectFailure, type RunningServe, runCli, startServe } from '../testing/run-cli.ts';

interface MeteredServe extends RunningServe {
  metricsUrl: string;
}

const args = ['--demo', '--in-memory', '--metrics-port', '0'];

test('counts a known run exactly', async () => {
  const server = await startMetered();
  const key = { 'x-api-key': server.apiKey };
  await read(server, '/v1/memories', key);
  await read(server, '/v1/memories', key);
  await read(server, '/v1/memories', { 'x-api-key': 'mrk_wrong' });
  await read(server, '/v1/memories/mem_nowhere', key);
  await read(server, '/v1/memories/mem_elsewhere', key);
  await read(server, '/healthz');
  await read(server, '/nowhere');
  await exchange(server.baseUrl, 'NONSENSE\r\n\r\n');
  const metrics = await scrape(server);
  expect(metrics.samplesOf('memory_read_requests_total')).toEqual({
    'operation="listMemories",outcome="finished",status="200"': 2,
    'operation="listMemories",outcome="finished",status="401"': 1,
    'operation="getMemory",outcome="finished",status="404"': 2,
    'operation="healthz",outcome="finished",status="200"': 1,
    'operation="none",outcome="finished",status="404"': 1,
    'operation="none",outcome="finished",status="400"': 1,
  });
  const totals = Object.entries(metrics.samplesOf('memory_read_requests_total'));
  expect(metrics.samplesOf('memory_read_request_duration_seconds_count')).toEqual(
    Object.fromEntries(totals.map(([labels, total]) => [labels.replace('outcome="finished",', ''), total])),
  );
  for (const sum of Object.values(metrics.samplesOf('memory_read_request_duration_seconds_sum'))) {
    expect(sum).toBeGreaterThan(0 - Number.EPSILON);
    expect(sum).toBeLessThan(60);
  }
  expect(metrics.samplesOf('memory_read_postgres_connections')).toEqual({});
  expect(metrics.samplesOf('memory_read_build_info')).toEqual({ 'version="0.0.0"': 1 });
  expect(metrics.samplesOf('memory_read_ready')).toEqual({ '': 1 });
  expect(metrics.text).toMatch(/^# TYPE process_cpu_seconds_total counter$/m);
  expect(metrics.text).toMatch(/^# TYPE nodejs_eventloop_lag_seconds gauge$/m);
});

test('counts the open connections of the API, and not those of the metrics', async () => {
  const server = await startMetered();
  const sockets = Array.from({ length: 3 }, () => connect(portOf(server.baseUrl), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const head = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  await Promise.all(sockets.map((socket) => untilData(socket, head)));
  expect((await scrape(server)).samplesOf('memory_read_connections')).toEqual({ '': 3 });
  const [first] = sockets;
  first?.end('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => first?.once('close', resolve));
  await expect.poll(async () => (await scrape(server)).samplesOf('memory_read_connections')).toEqual({ '': 2 });
});

test('an aborted request and a reset one are counted as aborted', async () => {
  const server = await startMetered();
  const head = `GET /v1/memories HTTP/1.1\r\nHost: a\r\nX-API-Key: mrk_wrong\r\n\r\n`;
  // The 17th unanswered request resets the connection.
  await exchange(server.baseUrl, head.repeat(40));
  const byOutcome = async () =>
    Object.keys((await scrape(server)).samplesOf('memory_read_requests_total')).map(
      (labels) => /outcome="(\w+)"/.exec(labels)?.[1],
    );
  await expect.poll(byOutcome).toContain('aborted');
});

test('no label holds what callers send, and their number stays bounded', async () => {
  const server = await startMetered();
  const { apiKey } = server;
  const methods = ['GET', 'POST', 'PROPFIND', 'HEAD', 'OPTIONS'];
  for (let index = 0; index < 60; index += 1) {
    const method = methods[index % methods.length];
    const path = [`/v1/memories/mem_${index}`, `/${apiKey}/${index}`, `/media/ada/${index}?signature=hush`][index % 3];
    const key = index % 2 === 0 ? apiKey : `mrk_${index}`;
    await exchange(
      server.baseUrl,
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nX-Request-Id: id-${index}\r\nX-Forwarded-For: 203.0.113.${index}\r\nConnection: close\r\n\r\n`,
    );
  }
  const { text, samples } = await scrape(server);
  const own = samples.filter(({ name }) => name.startsWith('memory_read_'));
  const series = new Set(
    own.map(({ labels }) => ['operation', 'status', 'outcome'].map((name) => labels[name]).join()),
  );
  expect(series.size).toBeLessThan(40);
  for (const { labels } of own) {
    expect(['operation', 'outcome', 'status', 'le', 'version']).toEqual(expect.arrayContaining(Object.keys(labels)));
    expect(labels.operation ?? 'none').toMatch(/^(listMemories|getMemory|media|none)$/);
    expect(labels.status ?? '200').toMatch(/^\d{3}$/);
  }
  expect(text).not.toContain(apiKey);
  expect(text).not.toMatch(/mrk_|hush|signature|user_demo|mem_|ada|203\.0\.113|127\.0\.0\.1|id-/);
});

test('the port of the metrics serves nothing else, and that of the API has no metrics', async () => {
  const server = await startMetered();
  const root = server.metricsUrl.replace(/\/metrics$/, '');
  const statuses = async (base: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(base + path)).status));
  const others = ['/', '/metrics/', '/v1/memories', '/healthz', '/docs', '/openapi.json', '/x/metrics'];
  expect(await statuses(root, others)).toEqual(others.map(() => 404));
  expect((await fetch(`${server.baseUrl}/metrics`)).status).toBe(404);
  expect((await fetch(server.metricsUrl, { method: 'POST' })).status).toBe(405);
  const head = await fetch(server.metricsUrl, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(new URL(server.metricsUrl).hostname).toBe('127.0.0.1');
});

test('without --metrics-port there is no metrics URL', async () => {
  const server = await startServe(['--demo', '--in-memory']);
  expect(server).not.toHaveProperty('metricsUrl');
});

test('a metrics port in use is named, and nothing else is started', async () => {
  const taken = await listen(() => {});
  onTestFinished(() => taken[Symbol.asyncDispose]());
  const { port } = new URL(taken.url);
  await expectFailure(
    runCli(['serve', '--in-memory', '--port', '0', '--metrics-port', `${port}`]),
    1,
    `Failed to serve the metrics: port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port.\n`,
  );
});

test('SIGTERM ends serve although a scraper keeps its connection', async () => {
  const server = await startMetered();
  const socket = connect(portOf(server.metricsUrl), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await untilData(socket, 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
  server.interrupt('SIGTERM');
  expect((await server.result).code).toBe(0);
});

async function startMetered(): Promise<MeteredServe> {
  return (await startServe(args)) as MeteredServe;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function read({ baseUrl }: RunningServe, path: string, headers: Record<string, string> = {}): Promise<void> {
  await (await fetch(baseUrl + path, { headers })).arrayBuffer();
}

/** Reads the text format of Prometheus, which prom-client writes. */
async function scrape({ metricsUrl }: MeteredServe) {
  const text = await (await fetch(metricsUrl)).text();
  const samples = Array.from(text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm), ([, name = '', inBraces = '', value]) => ({
    name,
    labels: Object.fromEntries(
      Array.from(inBraces.matchAll(/(\w+)="([^"]*)"/g), ([, label = '', text]) => [label, text]),
    ),
    value: Number(value),
  }));
  const keyOf = (labels: Record<string, string | undefined>) =>
    Object.entries(labels)
      .map(([name, text]) => `${name}="${text}"`)
      .sort()
      .join();
  const samplesOf = (wanted: string) =>
    Object.fromEntries(samples.flatMap(({ name, labels, value }) => (name === wanted ? [[keyOf(labels), value]] : [])));
  return { text, samples, samplesOf };
}

function untilData(socket: ReturnType<typeof connect>, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('data', () => resolve()).once('error', reject);
    socket.write(bytes);
  });
}
