import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { beforeAll, expect, test } from 'vitest';
import { generate } from './generate.ts';
import { generators } from './generators.ts';

const compared = generators.filter(({ comparedBy }) => comparedBy === undefined);
const folder = mkdtempSync(join(tmpdir(), 'memory-read-generated-'));

beforeAll(async () => {
  await generate(compared, folder);
  return () => rmSync(folder, { recursive: true });
});

test.each(compared)('$path is as npm run generate writes it', ({ path }) => {
  const read = (parent: string) => readFileSync(join(parent, path), 'utf8');
  expect(read(root), 'If the change is meant, run npm run generate, review the diff and commit it.').toBe(read(folder));
});
