import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('one getMemory runs at most 45 functions of the client in 20 files, in 110 calls', () => {
  const program = join(import.meta.dirname, 'print-functions.ts');
  const printed = execFileSync(process.execPath, ['--conditions=@memory-read/source', program], { encoding: 'utf8' });
  const [, files, functions, calls] = /^(\d+) files, (\d+) functions, (\d+) calls$/m.exec(printed) ?? [];
  expect(printed).toMatch(/read-memories\.ts: getMemory[\s\S]*validation\/validate-response\.ts: /);
  expect(Number(files), printed).toBeLessThanOrEqual(20);
  expect(Number(functions), printed).toBeLessThanOrEqual(45);
  expect(Number(calls), printed).toBeLessThanOrEqual(110);
});
