import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groups } from './cases/groups.ts';
import { goldenFolder, readGolden } from './golden.ts';
import { mistakes } from './oracle/mistakes.ts';

test.each(groups)('the golden answers of $name are what the specification says', (group) => {
  const golden = new Map(readGolden(group).map((line) => [line.title, line]));
  const wrong = group.cases.flatMap((parityCase) => {
    const answer = golden.get(parityCase.title);
    const found = answer ? mistakes(parityCase, answer) : ['no golden answer'];
    return found.map((mistake) => `${parityCase.title}: ${mistake}`);
  });
  expect(wrong).toEqual([]);
});

test('the oracle imports nothing of what it judges', () => {
  const folder = join(goldenFolder, '..', 'oracle');
  const imports = readdirSync(folder).flatMap((file) =>
    Array.from(readFileSync(join(folder, file), 'utf8').matchAll(/from '(@memory-read\/[^']+)'/g), ([, name]) => name),
  );
  expect([...new Set(imports)]).toEqual(['@memory-read/fixtures']);
});
