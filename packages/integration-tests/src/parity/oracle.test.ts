import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { groups } from './cases/groups.ts';
import { readGolden } from './golden.ts';
import { judge } from './oracle/judge.ts';

test.each(groups)('the golden answers of $name are what the specification says', ({ cases }) => {
  const golden = readGolden();
  const missing = { status: 0, headers: {}, body: 'no golden answer' };
  const judged = cases.map((parityCase) => judge(parityCase, golden.get(parityCase.title) ?? missing));
  expect(judged.map(({ seen }) => seen)).toEqual(judged.map(({ right }) => right));
});

test('the oracle takes only the names of fields from what it judges', () => {
  const files = globSync('packages/{test-kit/src,integration-tests/src/parity}/oracle/*.ts', { cwd: root });
  const imports = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/from '(@memory-read\/[^']+)'/g), ([, name]) => name),
  );
  const names = new Set(imports.filter((name) => !name?.startsWith('@memory-read/test-kit/oracle/')));
  expect([...names].sort()).toEqual(['@memory-read/contract/fields', '@memory-read/fixtures']);
});
