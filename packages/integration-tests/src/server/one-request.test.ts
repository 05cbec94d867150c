import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('one GET of a memory runs at most 45 functions of the server in 20 files, from the socket to SQLite', () => {
  const program = join(import.meta.dirname, 'print-functions.ts');
  const printed = execFileSync(process.execPath, ['--conditions=@memory-read/source', program], { encoding: 'utf8' });
  const [, files, functions] = /^(\d+) files, (\d+) functions, \d+ calls$/m.exec(printed) ?? [];
  expect(printed).toMatch(/node\/serve\.ts: .*\n[\s\S]*sqlite\/sqlite-memory-reader\.ts: /);
  expect(Number(files), printed).toBeLessThanOrEqual(20);
  expect(Number(functions), printed).toBeLessThanOrEqual(45);
});
