import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { allCases } from './cases/all-cases.ts';
import { readGolden } from './golden/golden-answers.ts';
import { judge } from './oracle/judge.ts';

test('the golden answers are what the specification says', () => {
  const golden = readGolden();
  const missing = { status: 0, headers: {}, body: 'no golden answer' };
  const judged = allCases.map((parityCase) => judge(parityCase, golden.get(parityCase.title) ?? missing));
  expect(judged.map(({ seen }) => seen)).toEqual(judged.map(({ right }) => right));
});

test('the oracle takes only the names of fields from what it judges', () => {
  const files = globSync('packages/integration-tests/src/parity/oracle/*.ts', { cwd: root });
  const imports = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/from '(@memory-read\/[^']+)'/g), ([, name]) => name),
  );
  expect([...new Set(imports)].sort()).toEqual(['@memory-read/contract/fields', '@memory-read/fixtures']);
});
