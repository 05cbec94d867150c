import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { makeDirectory } from './make-directory.ts';

test('creates a directory with its missing parents, and accepts an existing one', () => {
  const path = join(temporaryDirectory(), 'a', 'b', 'c');
  makeDirectory(path);
  makeDirectory(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('fails below a file', () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(() => makeDirectory(join(file, 'a', 'b'))).toThrow(/ENOTDIR/);
});
