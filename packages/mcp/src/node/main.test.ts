import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistantOf } from '../testing/open-assistant.ts';

const mock = createMemoryMock({ memories: [] });
const { apiKey } = mock;
const program = ['--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];
const started_at = '2026-01-01T10:00:00.000Z';
const segment = {
  speaker: 'Speaker 1',
  start_at: started_at,
  end_at: '2026-01-01T10:00:02.000Z',
  text: 'We ship the teal door.',
};
const unsupportedUrl =
  'the base URL is not supported. Pass a URL that begins with https:// and contains no password. Only servers on this machine can use http://.';
let api: Server;
let env: Record<string, string>;
let folder: string;
/** While this is set, the API does not respond. */
let isStalled = false;
let requests = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-mcp-'));
  api = createServer(async ({ url, headers }, response) => {
    requests += 1;
    if (isStalled) return;
    const { authorization = '' } = headers;
    const answer = await mock.fetch(new Request(`${mock.baseUrl}${url}`, { headers: { authorization } }));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    MEMORY_API_URL: `http://127.0.0.1:${port}`,
    MEMORY_API_KEY: apiKey,
    SECRET_BROKEN: 'SECRET key',
    SECRET_NAME: '$' + '{SECRET_KEY}',
  };
});
afterAll(() => {
  api.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  mock.reset();
  isStalled = false;
  requests = 0;
});

test.each(['legacy', { pin: '2026-07-28' }] as const)(
  'serves a client of %j over stdio from search to verification',
  async (mode) => {
    const { id } = mock.memories.add({ started_at, transcript: { segments: [segment] } });
    const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: program, env, cwd: folder }));
    const assistant = assistantOf(client);
    const { receipt } = (await assistant.call('search', { query: 'teal' })).content.results[0];
    expect((await assistant.call('fetch', { id })).content.text).toContain('Speaker 1: We ship the teal door.');
    expect((await assistant.call('verify_quote', { receipt })).content.status).toBe('valid');
    mock.memories.update(id, { transcript: { segments: [{ ...segment, text: 'So: We ship the teal door.' }] } });
    expect((await assistant.call('verify_quote', { receipt })).content).toMatchObject({
      status: 'superseded',
      receipts: [{ chars: [4, 26] }],
    });
    await client.close();
  },
);

test('ends with status 0 when its input ends, without waiting for the call in flight', async () => {
  isStalled = true;
  const child = run([]);
  const ended = outputOf(child);
  const request = (method: string, params: object, id?: number) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) })}\n`);
  request(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    1,
  );
  request('notifications/initialized', {});
  request('tools/call', { name: 'list_memories', arguments: {} }, 2);
  await expect.poll(() => requests).toBeGreaterThan(0);
  const start = performance.now();
  child.stdin?.end();
  const { code, stdout, stderr } = await ended;
  // The call would time out after 30 seconds. A busy machine needs more than the usual moment.
  expect(performance.now() - start).toBeLessThan(15_000);
  expect([code, stderr]).toEqual([0, '']);
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0');
});

test('ends with status 1 and a message after a line of more than 10 MiB', async () => {
  const child = run([]);
  const ended = outputOf(child);
  // The program stops reading before the end of the line.
  child.stdin?.on('error', () => {});
  child.stdin?.write('a'.repeat(11 * 1_048_576));
  expect(await ended).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Failed to read a message: it is longer than 10 MiB. Connect again, and send shorter messages.\n',
  });
});

test.each([[[]], [['--http']]])('writes logs of dependencies to standard error, with the options %j', async (args) => {
  const loud = join(folder, 'loud.mjs');
  const names = JSON.stringify(['log', 'info', 'debug', 'table', 'group', 'count']);
  writeFileSync(loud, `process.on('SIGUSR2', () => { for (const name of ${names}) console[name]('LOUD'); });`);
  const child = spawn(process.execPath, ['--import', loud, ...program, ...args], { env, cwd: folder });
  const ended = outputOf(child);
  let logged = '';
  child.stderr.on('data', (chunk) => (logged += chunk));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  await expect.poll(() => logged.match(/LOUD/g)?.length).toBe(6);
  child.stdin.end();
  child.kill('SIGTERM');
  const { stdout } = await ended;
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('prints one line over HTTP when it is ready, and ends at SIGTERM', async () => {
  const child = run(['--http']);
  const ended = outputOf(child);
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  await expect.poll(() => printed).toMatch(/\n$/);
  const { event, url } = JSON.parse(printed);
  expect(event).toBe('ready');
  expect((await fetch(url)).status).toBe(405);
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([0, printed]);
});

test.each([
  [['--api-key', 'SECRET'], '--api-key is not the source of a secret. Pass env:NAME or file:PATH.'],
  [['--token', 'SECRET', '--http'], '--token is not the source of a secret. Pass env:NAME or file:PATH.'],
  [
    ['--api-key', 'env:SECRET_NONE'],
    'the environment variable of --api-key is empty or missing. Put the secret into it.',
  ],
  [
    ['--api-key', 'env:SECRET_BROKEN'],
    'the secret of --api-key has a character that is not visible ASCII. Copy it again.',
  ],
  [
    ['--api-key', 'env:SECRET_NAME'],
    'the secret of --api-key is still the name of a variable. Set the variable that the client replaces.',
  ],
  [
    ['--mirror', 'SECRET', '--api-key', 'SECRET'],
    '--api-key and --mirror exclude each other. Leave one out: a mirror needs no API.',
  ],
  [['--api-key', 'file:/SECRET/none'], 'the file of --api-key cannot be read. Check its path and permissions.'],
  [['--SECRET'], 'an option is unknown, or lacks its value. Run memory-read-mcp --help for the options.'],
  [['--base-url', 'https://SECRET.example/v1'], '--base-url ends with /v1. Pass the root of the API, without /v1.'],
  [['--base-url', 'https://SECRET.example/v1/'], '--base-url ends with /v1. Pass the root of the API, without /v1.'],
  [['--base-url', 'http://SECRET.example'], unsupportedUrl],
  [['--base-url', 'https://user:SECRET@memories.example'], unsupportedUrl],
  [['--base-url', 'SECRET'], unsupportedUrl],
  [
    ['--mirror', '/SECRET/none'],
    'the folder of --mirror holds no mirror. Run memory-read mirror with this folder first, or choose another folder.',
  ],
  [['--http', '--host', '0.0.0.0'], '--host is not a loopback address. Pass --token and --allowed-host.'],
  [
    ['--http', '--host', '0.0.0.0', '--token', 'env:MEMORY_API_KEY'],
    '--host is not a loopback address. Pass --token and --allowed-host.',
  ],
  ...['--port', '--host', '--token', '--allowed-host', '--allowed-origin'].map((option): [string[], string] => [
    [option, 'SECRET'],
    `${option} needs --http. Add --http, or leave ${option} out.`,
  ]),
  [['--http', '--port', 'SECRET'], '--port is invalid. Use a whole number from 0 to 65535.'],
  [['--memory-url', 'https://SECRET.example'], '--memory-url has no {id}. Add it to the template.'],
])('ends with status 2 and an error without the value for %j', async (args, expected) => {
  const { code, stdout, stderr } = await outputOf(run(args));
  expect([code, stdout, stderr]).toEqual([2, '', `Failed to start memory-read-mcp: ${expected}\n`]);
});

test('ends with status 2 without a key and without a URL', async () => {
  const { MEMORY_API_KEY: _, ...keyless } = env;
  expect(await outputOf(run([], keyless))).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/--api-key is missing/),
  });
  const { MEMORY_API_URL: __, ...nowhere } = env;
  expect(await outputOf(run([], nowhere))).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'Failed to start memory-read-mcp: --base-url is missing. Pass the root of the API, set MEMORY_API_URL, or run memory-read mcp, which uses the saved login.\n',
  });
  expect((await outputOf(run(['--http'], nowhere))).stderr).toBe(
    'Failed to start memory-read-mcp: --base-url is missing. Pass the root of the API, or set MEMORY_API_URL. With --http, there is no saved login.\n',
  );
});

test('names MEMORY_API_URL if it ends with /v1', async () => {
  const { stderr } = await outputOf(run([], { ...env, MEMORY_API_URL: 'https://memories.example/v1' }));
  const advice = 'Pass the root of the API, without /v1.';
  expect(stderr).toBe(`Failed to start memory-read-mcp: MEMORY_API_URL ends with /v1. ${advice}\n`);
});

test('prints --help and --version to standard output', async () => {
  const help = await outputOf(run(['--help']));
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const option of ['--http', '--token', '--mirror', '--memory-url']) expect(help.stdout).toContain(option);
  expect((await outputOf(run(['--version']))).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

function run(args: readonly string[], environment = env): ChildProcess {
  return spawn(process.execPath, [...program, ...args], { env: environment, cwd: folder });
}

async function outputOf(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
