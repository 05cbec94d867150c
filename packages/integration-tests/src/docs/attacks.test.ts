import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';

const page = readFileSync(join(root, 'docs/attacks.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Attack |'));

test.each(rows)('the page of attacks names a test that exists: %s', (row) => {
  const [, name = '', path = ''] = /\| \[([^\]]+)\]\(\.\.\/([^)]+)\) \|$/.exec(row) ?? [];
  const source = readFileSync(join(root, path), 'utf8');
  expect(["'", '`'].some((quote) => source.includes(name + quote))).toBe(true);
  expect(name).not.toBe('');
});

test('every test of the attacks on the served API is on the page', () => {
  const path = 'packages/system-tests/src/server/attacks/wire.full.test.ts';
  const tests = readFileSync(join(root, path), 'utf8').match(/^test\(/gm) ?? [];
  expect(tests.length).toBeGreaterThan(0);
  expect(page.split(path).length - 1).toBe(tests.length);
});
