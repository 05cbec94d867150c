import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { openStdioAssistant } from './open-assistant.ts';
import { serveMock } from './serve-mock.ts';

const program = join(root, 'packages/mcp/dist/main.js');
const folder = makeFolder(afterAll);
const env = { PATH: process.env.PATH, HOME: folder };

test('serves the tools over standard input and output with the program of the documentation', async () => {
  const { mock, env: connection, close } = await serveMock();
  mock.memories.add({ name: 'The teal door' });
  const shown = join(root, 'docs/code/mcp-stdio.node.ts');
  const options = { env: { ...connection, PATH: process.env.PATH ?? '' }, cwd: folder };
  const assistant = await openStdioAssistant({ command: process.execPath, args: [shown], ...options });
  expect((await assistant.call('list_memories', {})).memories).toMatchObject([{ title: 'The teal door' }]);
  await assistant[Symbol.asyncDispose]();
  await close();
});

test('the program with a tool of its own that the guide shows serves all of them', async () => {
  const { env: connection, close } = await serveMock();
  const shown = join(root, 'docs/code/mcp-own-tools.node.ts');
  const options = { env: { ...connection, PATH: process.env.PATH ?? '' }, cwd: folder };
  const assistant = await openStdioAssistant({ command: process.execPath, args: [shown], ...options });
  const { tools } = await assistant.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'list_memories', 'verify_quote', 'account']);
  await assistant[Symbol.asyncDispose]();
  await close();
});

test('ends with an error on standard error if the mirror is missing', async () => {
  const child = spawn(process.execPath, [program, '--mirror', join(folder, 'none')], { env });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(printed).toMatch(/^Failed to start memory-read-mcp: the folder of --mirror holds no mirror\. .+\n$/);
});

test('prints how to install the package of the mirror if it is missing', async () => {
  // The imports of a copy are resolved in this folder, where the package is missing.
  const modules = join(folder, 'node_modules');
  cpSync(join(root, 'packages/mcp/dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of [
    '@memory-read/client',
    '@memory-read/contract',
    '@modelcontextprotocol/server',
    '@noble/hashes',
    'lru-cache',
  ]) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(realpathSync(join(root, 'packages/mcp/node_modules', name)), join(modules, name));
  }
  const child = spawn(process.execPath, [join(folder, 'dist/main.js'), '--mirror', folder], { env });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  expect([code, printed]).toEqual([
    2,
    'Failed to open the mirror: @memory-read/mirror is not installed. Install it in the same way as @memory-read/mcp: with npm install, npm install --global, or npx -p @memory-read/mcp -p @memory-read/mirror memory-read-mcp.\n',
  ]);
});
