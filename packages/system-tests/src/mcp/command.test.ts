import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { serveMock } from './serve-mock.ts';

const cli = join(root, 'packages/cli');
const { env: account, close } = await serveMock();
afterAll(close);
const folder = makeFolder(afterAll);
/** An environment without the configuration of the developer, and without a server or a key. */
const env = { PATH: process.env.PATH ?? '', HOME: folder };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

test('memory-read mcp uses the saved login, prints only the protocol, and ends with its input', async () => {
  const login = ['login', '--base-url', account.MEMORY_API_URL, '--key-stdin'];
  expect(await run(login, { input: account.MEMORY_API_KEY })).toMatchObject({ code: 0 });
  const child = start(['mcp']);
  const ended = outputOf(child);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_memories', arguments: {} } };
  for (const message of [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, list])
    child.stdin.write(`${JSON.stringify(message)}\n`);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.split('\n').length > 2) break;
  }
  child.stdin.end();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  const [initialized, listed] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(initialized.result.serverInfo.name).toBe('memory-read');
  expect(listed.result.structuredContent).toMatchObject({ memories: [], total: 0 });
});

test('memory-read mcp ends with 143 at SIGTERM', async () => {
  const child = start(['mcp', '--base-url', account.MEMORY_API_URL], { MEMORY_API_KEY: account.MEMORY_API_KEY });
  const ended = outputOf(child);
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 143 });
});

test('memory-read mcp prints how to install its package if it is missing', async () => {
  // The imports of a copy are resolved in this folder, where the package is missing.
  const copy = join(folder, 'copy');
  cpSync(join(cli, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(cli, 'package.json'), join(copy, 'package.json'));
  const { dependencies } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8')) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    const link = join(copy, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(cli, 'node_modules', name)), link);
  }
  const variables = { MEMORY_API_URL: account.MEMORY_API_URL, MEMORY_API_KEY: account.MEMORY_API_KEY };
  expect(await run(['mcp'], { program: join(copy, 'dist/main.js'), variables })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to start the tools: @memory-read/mcp is not installed. Install it in the same way as @memory-read/cli: with npm install, npm install --global, or npx -p @memory-read/cli -p @memory-read/mcp memory-read mcp.\n',
  });
});

interface Run {
  input?: string;
  program?: string;
  variables?: Record<string, string>;
}

function run(args: readonly string[], { input = '', program, variables }: Run) {
  const child = start(args, variables, program);
  child.stdin.end(input);
  return outputOf(child, text(child.stdout));
}

function start(args: readonly string[], variables: Record<string, string> = {}, program = join(cli, 'dist/main.js')) {
  return spawn(process.execPath, [program, ...args], { env: { ...env, ...variables }, cwd: folder });
}

async function outputOf(child: ReturnType<typeof start>, stdout: Promise<string> | string = '') {
  const stderr = text(child.stderr);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}
