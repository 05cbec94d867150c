import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { writeWholeFile } from './write-whole-file.ts';

test('replaces a file, for its owner only if the mode says so', () => {
  const path = join(temporaryDirectory(), 'state');
  for (const content of ['first', 'second']) writeWholeFile(path, content, `${path}.tmp`, 0o600);
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('leaves no temporary file if the file cannot get its name', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'folder');
  mkdirSync(path);
  expect(() => writeWholeFile(path, 'text', `${path}.tmp`)).toThrow(/^E\w+:/);
  expect(readdirSync(directory)).toEqual(['folder']);
});
