import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { root } from '../repository.ts';
import { openStdioAssistant } from './open-assistant.ts';
import { serveMock } from './serve-mock.ts';

const program = join(root, 'packages/mcp/dist/main.js');
const folder = makeFolder(afterAll);
const env = { PATH: process.env.PATH, HOME: folder };

test('the program that the documentation shows serves the tools over standard input and output', async () => {
  const { mock, env: connection, close } = await serveMock();
  mock.memories.add({ name: 'The teal door' });
  const shown = join(root, 'docs/code/mcp-stdio.node.ts');
  const options = { env: { ...connection, PATH: process.env.PATH ?? '' }, cwd: folder };
  const assistant = await openStdioAssistant({ command: process.execPath, args: [shown], ...options });
  expect((await assistant.call('list_memories', {})).memories).toMatchObject([{ title: 'The teal door' }]);
  await assistant[Symbol.asyncDispose]();
  await close();
});

test('a mirror that is not there ends the program with an error on standard error', async () => {
  const child = spawn(process.execPath, [program, '--mirror', join(folder, 'none')], { env });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(printed).toMatch(/^Failed to open the mirror in .+ holds no mirror\..+\n$/);
});

test('without the package of the mirror, the program says how to install it', async () => {
  // Of a copy, the imports are resolved here, where the package is missing.
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
    'Failed to open the mirror: @memory-read/mirror is not installed. Run npm install @memory-read/mirror and try again.\n',
  ]);
});
