import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const [, recipe = ''] = /^## Recipe: add a field$([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md')) ?? [];
const files = Array.from(recipe.matchAll(/`((?:docs|packages)\/\S+\.(?:md|ts))`/g), ([, path = '']) => path);

test('the recipe for fields counts the files that it names', () => {
  expect(new Set(files).size).toBe(files.length);
  expect(Number(/: (\d+) files by hand/.exec(recipe)?.[1])).toBe(files.length);
});

test.each(files)('%s, which the recipe for fields names, has the fields that there are', (path) => {
  expect(read(path)).toMatch(/\b(duration_seconds|is_processing)\b/);
});
