import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';
import { startMockServer } from '@memory-read/msw/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, expect, test } from 'vitest';
import { openStdioAssistant } from './open-assistant.ts';

const mock = await startMockServer({ memories: [] });
afterAll(() => mock.close());
const connection = { MEMORY_API_URL: mock.baseUrl, MEMORY_API_KEY: mock.apiKey };
const folder = makeFolder(afterAll);
/** An environment without the configuration of the developer. */
const environment = { PATH: process.env.PATH ?? '', HOME: folder };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

test('serves the tools over standard input and output with the program of the documentation', async () => {
  const env = { ...connection, ...environment };
  const args = [join(root, 'docs/code/mcp-stdio.node.ts')];
  await using assistant = await openStdioAssistant({ command: process.execPath, args, env, cwd: folder });
  const { tools } = await assistant.client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(['search', 'fetch', 'list_memories', 'verify_quote']);
  expect(await assistant.call('list_memories', {})).toMatchObject({ memories: [] });
});

test('memory-read mcp uses the saved login, prints only the protocol, and ends with its input', async () => {
  const login = start(['login', '--base-url', connection.MEMORY_API_URL, '--key-stdin'], {});
  expect(await endOf(login, connection.MEMORY_API_KEY)).toMatchObject({ code: 0 });
  const child = start(['mcp'], {});
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_memories', arguments: {} } };
  for (const message of [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, list])
    child.stdin.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const [initialized, listed] = [await lines.next(), await lines.next()].map(({ value }) => JSON.parse(value ?? ''));
  expect(await endOf(child)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(initialized.result.serverInfo.name).toBe('memory-read');
  expect(listed.result.structuredContent).toMatchObject({ memories: [], total: 0 });
});

test('memory-read mcp serves a mirror without a key, shows names of another process at once, and ends with 143 at SIGTERM', async () => {
  mock.memories.add({ id: 'mem_1', transcript: sampleMemory().transcript });
  const mirror = await openMirror({ folder: makeFolder() });
  await mirror.sync(new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey }));
  const child = start(['mcp', '--mirror', mirror.folder], {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (message: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return 'id' in message ? JSON.parse((await lines.next()).value ?? '') : undefined;
  };
  expect((await send(initialize)).result.serverInfo.name).toBe('memory-read');
  await send({ method: 'notifications/initialized' });
  const list = { method: 'tools/call', params: { name: 'list_memories', arguments: {} } };
  const [unnamed] = (await send({ id: 2, ...list })).result.structuredContent.memories;
  await mirror.people.name('mem_1', 'Speaker 1', 'Ada');
  const [named] = (await send({ id: 3, ...list })).result.structuredContent.memories;
  expect(named).toEqual({ ...unnamed, people: ['Ada'] });
  await mirror.close();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});

test.each([
  [
    'mcp',
    ['--mirror', '.'],
    'Failed to open the mirror: @memory-read/mirror is not installed. Install it in the same way as @memory-read/mcp: with npm install, npm install --global, or npx -p @memory-read/mcp -p @memory-read/mirror memory-read-mcp.\n',
  ],
  [
    'cli',
    ['mcp'],
    'Failed to start the tools: @memory-read/mcp is not installed. Install it in the same way as @memory-read/cli: with npm install, npm install --global, or npx -p @memory-read/cli -p @memory-read/mcp memory-read mcp.\n',
  ],
])('the program of %s prints how to install an optional package that is missing', async (name, args, stderr) => {
  // The imports of a copy are resolved in this folder, where only the required packages are.
  const copy = makeFolder();
  const original = join(root, 'packages', name);
  for (const part of ['dist', 'package.json']) cpSync(join(original, part), join(copy, part), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    const link = join(copy, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(original, 'node_modules', dependency)), link);
  }
  const child = start(args, connection, join(copy, 'dist/main.js'));
  expect(await endOf(child)).toEqual({ code: 2, stdout: '', stderr });
});

/** Starts `memory-read`, or another program. */
function start(
  args: readonly string[],
  variables: Partial<typeof connection> = connection,
  program = join(root, 'packages/cli/dist/main.js'),
) {
  return spawn(process.execPath, [program, ...args], { env: { ...environment, ...variables }, cwd: folder });
}
