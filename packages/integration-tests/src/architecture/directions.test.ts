import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { bundled, importFences, packageTable } from './package-table.ts';
import { isTest, sourceFiles } from './source-files.ts';

const scope = '@memory-read/';
const files = sourceFiles();

test.each(Object.entries(packageTable))('%s depends on what the picture shows and on nothing else', (name, row) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).sort();
  expect(declared).toEqual([...row.packages.map((target) => scope + target), ...row.others].sort());
});

test('every import follows the picture', () => {
  const strangers = files
    .filter((file) => !isTest(file))
    .flatMap((file) => {
      const name = file.path.split('/')[0] ?? '';
      const row = packageTable[name] ?? { packages: [], others: [] };
      const allowed = [...row.packages.map((target) => scope + target), ...row.others, ...(bundled[name] ?? [])];
      return file.imports
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .filter((specifier) => !allowed.some((target) => specifier === target || specifier.startsWith(`${target}/`)))
        .map(
          (specifier) =>
            `${file.path} imports ${specifier}: add it to package-table.ts and to the picture, or import something else`,
        );
    });
  expect(strangers).toEqual([]);
});

test.each(importFences)('$what are imported from their own place only', ({ pattern, allowed, instead }) => {
  const trespassers = files
    .filter((file) => !isTest(file) && !allowed.test(file.path))
    .filter((file) => file.imports.some((specifier) => pattern.test(specifier)))
    .map(({ path }) => `${path}: ${instead}`);
  expect(trespassers).toEqual([]);
});

test('an import stays inside its package or names one', () => {
  const escapes = files.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => join(path, '..', specifier).split('/')[0] !== path.split('/')[0])
      .map((specifier) => `${path} imports ${specifier}: import the package by its name`),
  );
  expect(escapes).toEqual([]);
});
