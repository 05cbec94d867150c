import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startMockServer } from '@memory-read/msw/server';
import { listen } from '@memory-read/test-kit/listen';
import { expect, onTestFinished, test } from 'vitest';
import { exchange } from '../testing/exchange.ts';
import { expectFailure, type RunOptions, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

const freePorts = ['mock', '--port', '0', '--control-port', '0'];

interface ReadyMock {
  event: string;
  baseUrl: string;
  mediaUrl: string;
  controlUrl: string;
}

async function startMock(args: readonly string[] = [], options: RunOptions = {}): Promise<ReadyMock> {
  const { process } = startCli(args[0] === 'mock' ? args : [...freePorts, ...args], options);
  await once(process.stdout, 'text');
  return JSON.parse(process.stdout.text);
}

async function keyOf({ controlUrl }: ReadyMock): Promise<string> {
  const space = (await (await fetch(`${controlUrl}/spaces/default`)).json()) as { apiKey: string };
  return space.apiKey;
}

async function listOf({ baseUrl }: ReadyMock, key: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': key } });
  return { status: response.status, body: await response.json() };
}

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)(
  'as a process, prints one line without a key, serves API, media and control, and ends on %s with %i',
  async (signal, code) => {
    const { child, result } = spawnCli(freePorts);
    const [line = ''] = await once(createInterface({ input: child.stdout }), 'line');
    const ready: ReadyMock = JSON.parse(line);
    expect(Object.keys(ready)).toEqual(['event', 'baseUrl', 'mediaUrl', 'controlUrl']);
    const key = await keyOf(ready);
    const { status, body } = await listOf(ready, key);
    expect([status, body]).toEqual([200, expect.any(Array)]);
    const [{ audio_url: url }] = (body as { audio_url: string | null }[]).filter(({ audio_url }) => audio_url) as [
      { audio_url: string },
    ];
    expect(url.startsWith(`${ready.mediaUrl}/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
    child.kill(signal);
    expect(await result).toEqual({ code, stdout: `${line}\n`, stderr: '' });
  },
);

test('prints a banner of at most 80 columns on a terminal, which says how to read the key', async () => {
  const { process } = startCli(freePorts, { terminal: { stdout: { columns: 80 } } });
  await once(process.stdout, 'text');
  const { text } = process.stdout;
  const [, baseUrl, mediaUrl, controlUrl] = /mock on (\S+)\n\n {2}Media +(\S+)\n {2}Control +(\S+)\n/.exec(text) ?? [];
  const ready = { event: '', baseUrl, mediaUrl, controlUrl } as ReadyMock;
  const key = await keyOf(ready);
  expect((await listOf(ready, key)).status).toBe(200);
  expect(text).toContain(`\n  curl ${controlUrl}/spaces/default\n`);
  expect(text).not.toContain(key);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('takes the key from a variable or a file, and prints it nowhere', async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'key'), 'key-of-file\n', { mode: 0o600 });
  for (const [source, key] of [
    ['env:MOCK_API_KEY', 'key-of-variable'],
    [`file:${join(folder, 'key')}`, 'key-of-file'],
  ] as const) {
    const ready = await startMock(['--api-key', source], { env: { MOCK_API_KEY: 'key-of-variable' } });
    expect([(await listOf(ready, key)).status, await keyOf(ready)]).toEqual([200, key]);
  }
  const { process } = startCli([...freePorts, '--api-key', 'env:KEY'], {
    env: { KEY: 'key-of-variable' },
    terminal: { stdout: { columns: 80 } },
  });
  await once(process.stdout, 'text');
  expect(process.stdout.text).toContain('\nThe API key is that of --api-key.\n');
  expect(process.stdout.text).not.toContain('key-of-variable');
});

test('seed and now decide the memories as in code', async () => {
  const now = '2026-03-01T12:00:00Z';
  const server = await startMockServer({ seed: 7, now });
  onTestFinished(() => server.close());
  const { controlUrl } = await startMock(['--seed', '7', '--now', now]);
  expect(await (await fetch(`${controlUrl}/spaces/default/memories`)).json()).toEqual(server.memories.all());
  expect(await (await fetch(`${controlUrl}/spaces/default/clock`)).json()).toEqual({ now: '2026-03-01T12:00:00.000Z' });
});

test('without ports, skips those that are in use', async () => {
  const mocks = await Promise.all([startMock(['mock']), startMock(['mock']), startMock(['mock'])]);
  const ports = mocks.flatMap(({ baseUrl, controlUrl }) =>
    [baseUrl, controlUrl].map((url) => Number(new URL(url).port)),
  );
  expect(new Set(ports).size).toBe(6);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(8790);
  expect(Math.max(...ports)).toBeLessThan(8890);
});

test('the API leaves the first free port after 8790 to the control API', async () => {
  const other = createServer();
  // It is in use either way.
  await new Promise((resolve) => other.once('error', resolve).listen(8790, '127.0.0.1', () => resolve(undefined)));
  onTestFinished(() => void other.close());
  const { baseUrl, controlUrl } = await startMock(['mock']);
  expect(Number(new URL(controlUrl).port)).toBeLessThan(Number(new URL(baseUrl).port));
});

test('a port in use is a failure that names the port', async () => {
  const taken = await listen(() => {});
  onTestFinished(() => taken[Symbol.asyncDispose]());
  const { port } = new URL(taken.url);
  const message = `Failed to start the mock server: port ${port} of 127.0.0.1 is already in use. Choose another port.\n`;
  await expectFailure(runCli([...freePorts, '--control-port', port]), 1, message);
});

test.each([
  [['--host', '0.0.0.0', '--public-host', 'localhost'], 'localhost', '127.0.0.1'],
  [['--host', '0.0.0.0', '--control-host', '0.0.0.0', '--public-host', 'localhost'], 'localhost', 'localhost'],
  [['--control-host', '0.0.0.0'], '127.0.0.1', '127.0.0.1'],
])('with %j, the URLs have the host %s, and that of the control API %s', async (args, host, controlHost) => {
  const ready = await startMock(args);
  const { baseUrl, mediaUrl, controlUrl } = ready;
  expect([baseUrl, mediaUrl, controlUrl].map((url) => new URL(url).hostname)).toEqual([host, host, controlHost]);
  expect((await listOf(ready, await keyOf(ready))).status).toBe(200);
});

test.each([
  ['mock:8791', 200],
  ['0.0.0.0:8791', 200],
  ['evil.example', 403],
])('with --public-host mock and --control-host 0.0.0.0, the control API answers %s with %i', async (host, status) => {
  const { controlUrl } = await startMock(['--public-host', 'mock', '--control-host', '0.0.0.0']);
  const answer = await exchange(controlUrl, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('further spaces use the ports of --space-ports in turn, and a full range is a conflict', async () => {
  const probe = await startMockServer();
  const first = Number(new URL(probe.baseUrl).port);
  await probe.close();
  const { controlUrl } = await startMock(['--space-ports', `${first}-${first}`]);
  const open = async () => {
    const response = await fetch(`${controlUrl}/spaces`, { method: 'POST' });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  expect(new URL(String((await open()).body.baseUrl)).port).toBe(String(first));
  expect(await open()).toEqual({
    status: 409,
    body: {
      detail: `Failed to open a space: the ports ${first} to ${first} are all in use. Close a space, or start the server with more ports.`,
    },
  });
});

test.each([
  ['--port 70000', '--port: "70000" is not a port.'],
  ['--control-port x', '--control-port: "x" is not a port.'],
  ['--media-port -1', '--media-port: "-1" is not a port.'],
  ['--host mrk_secret!', '--host: it is not an address.'],
  ['--control-host a/b', '--control-host: it is not an address.'],
  ...['http://mock', 'mock:80', 'mock/path', 'a@mock'].map((name) => [
    `--public-host ${name}`,
    `the host "${name}" cannot be in a URL.`,
  ]),
  ...['8801', '8820-8801', '0-8', '8801-70000', 'a-b'].map((range) => [
    `--space-ports ${range}`,
    `--space-ports: "${range}" is not a range of ports.`,
  ]),
  ['--api-key mrk_secret', '--api-key: a key on the command line is visible'],
  ['--api-key env:NO_SUCH_KEY', '--api-key: the environment variable NO_SUCH_KEY is not set.'],
  ['--now noon', '--now: "noon" is not a date-time.'],
  ['--now 1969-12-31T00:00:00Z', 'now is "1969-12-31T00:00:00Z", which is not in the years 1970 to 9999.'],
  ['--port 9000 --control-port 9000', '--control-port: it is also the value of --port.'],
  ['--control-port 9000 --media-port 9000', '--media-port: it is also the value of --control-port.'],
])('%s is wrong usage', async (line = '', problem = '') => {
  const message = await expectFailure(runCli(['mock', ...line.split(' ')]), 2, /^Failed to .+\. .+\.\n$/);
  expect(message).toContain(problem);
  expect(message).not.toContain('secret');
});
