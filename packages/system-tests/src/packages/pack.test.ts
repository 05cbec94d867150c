import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { installOffline } from './create-consumer.ts';

const program = `
import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
const { baseUrl, apiKey, fetch } = createMemoryMock();
const memories = await new MemoryClient({ baseUrl, apiKey, fetch }).listMemories();
console.log(memories.length);`;

test('the line that npm run pack prints installs the packages in another project, from a folder of any name', () => {
  const parent = makeFolder();
  const pack = [join(import.meta.dirname, 'pack.ts'), "Ada's packages, $new"];
  const line = execFileSync(process.execPath, pack, { cwd: parent, encoding: 'utf8' });
  const project = join(parent, 'project');
  mkdirSync(project);
  installOffline(project, line);
  const run = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, run, { cwd: project, encoding: 'utf8' })).toBe('12\n');
});
