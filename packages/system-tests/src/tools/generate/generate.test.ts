import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from './generate.ts';
import { generators } from './generators.ts';

const compared = generators.filter(({ comparedBy }) => comparedBy === undefined);
const folder = makeFolder(afterAll);

beforeAll(() => generate(compared, folder));

test.each(compared)('$path is as npm run generate writes it', ({ path }) => {
  const read = (parent: string) => readFileSync(join(parent, path), 'utf8');
  expect(read(root), 'If the change is meant, run npm run generate, review the diff and commit it.').toBe(read(folder));
});
