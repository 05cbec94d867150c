import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startMockServer } from '@memory-read/msw/server';
import { missingNamespaces, printModules, startFirstProcess } from '@memory-read/test-kit/first-process';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runMain } from '@memory-read/test-kit/run-main';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { assistantOf } from '../testing/open-assistant.ts';
import type { McpProcess } from './mcp-process.ts';
import { runProgram } from './run-program.ts';

const mock = await startMockServer({ memories: [] });
const main = ['--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];
const started_at = '2026-01-01T10:00:00.000Z';
const segment = {
  speaker: 'Speaker 1',
  start_at: started_at,
  end_at: '2026-01-01T10:00:02.000Z',
  text: 'We ship the teal door.',
};
const unsupportedUrl =
  'the base URL is not supported. Pass a URL that begins with https:// and contains no password. Only servers on this machine can use http://.';
const folder = makeFolder(afterAll);
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  MEMORY_API_URL: mock.baseUrl,
  MEMORY_API_KEY: mock.apiKey,
  SECRET_BROKEN: 'SECRET key',
  SECRET_NAME: '$' + '{SECRET_KEY}',
};
afterAll(() => mock.close());
beforeEach(() => mock.reset());

test.each(['legacy', { pin: '2026-07-28' }] as const)(
  'serves a client of %j over stdio from search to verification',
  async (mode) => {
    mock.memories.add({ started_at, transcript: { segments: [segment] } });
    const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
    const program = createProcess([]);
    await runProgram(program);
    // The transport of a server is that of a client with the streams exchanged.
    await client.connect(new StdioServerTransport(program.stdout, program.stdin));
    const assistant = assistantOf(client);
    const { receipt } = (await assistant.call('search', { query: 'teal' })).content.results[0];
    expect((await assistant.call('verify_quote', { receipt })).content.status).toBe('valid');
    await client.close();
    program.stdin.end();
    await program.exited;
  },
);

test.each([
  [['--time-zone', 'Asia/Tokyo'], 'Asia/Tokyo'],
  [[], 'America/New_York'],
])('with the options %j, days are those of %s', async (args, timeZone) => {
  vi.stubEnv('TZ', 'America/New_York');
  const program = createProcess(args);
  await runProgram(program);
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(new StdioServerTransport(program.stdout, program.stdin));
  const { content } = await assistantOf(client).call('list_memories', { since: 'yesterday' });
  expect(content.time_zone).toBe(timeZone);
  await client.close();
  program.stdin.end();
  await program.exited;
  vi.unstubAllEnvs();
});

test('ends with status 0 when its input ends, without waiting for the call in flight', async () => {
  mock.faults.always('stall');
  const child = spawn(process.execPath, main, { env, cwd: folder });
  const ended = outputOf(child);
  const request = (method: string, params: object, id?: number) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) })}\n`);
  request(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    1,
  );
  request('notifications/initialized', {});
  request('tools/call', { name: 'list_memories', arguments: {} }, 2);
  await mock.nextRequest();
  const start = performance.now();
  child.stdin.end();
  const { code, stdout, stderr } = await ended;
  // The call would time out after 30 seconds. A busy machine needs more than the usual moment.
  expect(performance.now() - start).toBeLessThan(15_000);
  expect([code, stderr]).toEqual([0, '']);
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0');
});

test('ends with status 1 and a message after a line of more than 10 MiB', async () => {
  const child = spawn(process.execPath, main, { env, cwd: folder });
  const ended = outputOf(child);
  // The program stops reading before the end of the line.
  child.stdin.on('error', () => {});
  child.stdin.write('a'.repeat(11 * 1_048_576));
  expect(await ended).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Failed to read a message: it is longer than 10 MiB. Connect again, and send shorter messages.\n',
  });
});

test('over HTTP, standard output has only the line of its start until SIGTERM, whatever a dependency logs', async () => {
  const loud = join(folder, 'loud.mjs');
  const names = JSON.stringify(['log', 'info', 'debug', 'table', 'group', 'count']);
  writeFileSync(loud, `process.on('SIGUSR2', () => { for (const name of ${names}) console[name]('LOUD'); });`);
  const child = spawn(process.execPath, ['--import', loud, ...main, '--http'], { env, cwd: folder });
  const ended = outputOf(child);
  const [printed] = await once(child.stdout, 'data');
  const { event, url } = JSON.parse(printed);
  expect(event).toBe('ready');
  expect((await fetch(url)).status).toBe(405);
  let logged = '';
  child.stderr.on('data', (chunk) => (logged += chunk));
  child.kill('SIGUSR2');
  await expect.poll(() => logged.match(/LOUD/g)?.length).toBe(6);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stdout: String(printed) });
});

test.each([
  ['v14.21.3', 1, []],
  ['v20.20.2', 1, []],
  ['v22.12.0', 1, []],
  ['v22.13.0', undefined, ['./log-to-standard-error.ts']],
  ['v24.0.0', undefined, ['./log-to-standard-error.ts']],
] as const)('on Node %s, ends with %s and loads %j', (version, exitCode, loaded) => {
  const run = runMain(new URL('./main.ts', import.meta.url), version);
  const message = `Failed to start memory-read-mcp: this is Node ${version}, but 22.13 or newer is required. Install it from https://nodejs.org and run the command again.\n`;
  expect(run).toMatchObject({ exitCode, loaded, stderr: exitCode === undefined ? '' : message });
});

test.skipIf(missingNamespaces())('as the first process, ends on a SIGTERM during its start', async () => {
  const command = [process.execPath, printModules, ...main, '--http'];
  const running = startFirstProcess(command, { env, cwd: folder });
  await new Promise<void>((resolve) => {
    running.child.stderr.on('data', (chunk) => {
      if (`${chunk}`.includes('/log-to-standard-error.ts')) resolve();
    });
  });
  running.kill('SIGTERM');
  // It may have begun to listen for signals by now, and then ends with 0.
  expect([143, 0]).toContain(await running.ended);
});

// A device can be endless.
const longSecret = join(folder, 'long-secret');
writeFileSync(longSecret, 'x'.repeat(16_385));
const tooLong = 'the file of --api-key is longer than any secret. Pass the file that holds the secret alone.';

type Refusal = [args: string[], message: string, environment?: Record<string, string | undefined>];

test.each<Refusal>([
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
  [['--api-key', `file:${longSecret}`], tooLong],
  [['--api-key', 'file:/dev/zero'], tooLong],
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
  ...['--port', '--host', '--token', '--allowed-host', '--allowed-origin'].map(
    (option): Refusal => [[option, 'SECRET'], `${option} needs --http. Add --http, or leave ${option} out.`],
  ),
  [
    ['--http', '--allowed-origin', 'https://SECRET.example/'],
    'a value of --allowed-origin is not an origin. Pass an origin such as https://app.example.com.',
  ],
  [['--http', '--port', 'SECRET'], '--port is invalid. Use a whole number from 0 to 65535.'],
  [
    ['--time-zone', 'SECRET/Zone'],
    '--time-zone is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.',
  ],
  [['--memory-url', 'https://SECRET.example'], '--memory-url has no {id}. Add it to the template.'],
  [
    [],
    '--base-url is missing. Pass the root of the API, set MEMORY_API_URL, or run memory-read mcp, which uses the saved login.',
    { MEMORY_API_URL: undefined },
  ],
  [
    ['--http'],
    '--base-url is missing. Pass the root of the API, or set MEMORY_API_URL. With --http, there is no saved login.',
    { MEMORY_API_URL: undefined },
  ],
  [[], '--api-key is missing. Pass env:NAME or file:PATH, or set MEMORY_API_KEY.', { MEMORY_API_KEY: undefined }],
  [
    [],
    'MEMORY_API_URL ends with /v1. Pass the root of the API, without /v1.',
    { MEMORY_API_URL: 'https://memories.example/v1' },
  ],
])('ends with status 2 and an error without the value for %j', async (args, expected, changes = {}) => {
  const { code, stdout, stderr } = await run(args, { ...env, ...changes });
  expect([code, stdout, stderr]).toEqual([2, '', `Failed to start memory-read-mcp: ${expected}\n`]);
});

test('prints --help and --version to standard output', async () => {
  const help = await run(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const option of ['--http', '--token', '--mirror', '--memory-url', '--time-zone'])
    expect(help.stdout).toContain(option);
  expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

/** A process of this test: `exited` resolves when the program ends it. */
function createProcess(args: readonly string[], environment: McpProcess['env'] = env) {
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const fake: McpProcess = {
    argv: ['node', 'memory-read-mcp', ...args],
    env: environment,
    ...streams,
    exit,
    once() {},
  };
  return Object.assign(fake, streams, { exited });
}

/** Runs the program with options that end it at once. */
async function run(args: readonly string[], environment: McpProcess['env'] = env) {
  const program = createProcess(args, environment);
  await runProgram(program);
  const printed = (stream: PassThrough): string => String(stream.read() ?? '');
  return { code: program.exitCode ?? 0, stdout: printed(program.stdout), stderr: printed(program.stderr) };
}

async function outputOf(child: ChildProcessWithoutNullStreams) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
