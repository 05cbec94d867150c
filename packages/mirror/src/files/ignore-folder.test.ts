import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test } from 'vitest';
import { openMirror } from '../mirror.ts';

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });

async function openAndClose(folder: string): Promise<void> {
  await (await openMirror({ folder })).close();
}

test.each([
  ['a new folder', () => {}],
  ['an empty folder', (folder: string) => void mkdirSync(folder, { recursive: true })],
])('git sees no file of a mirror in a repository: %s', async (_, prepare) => {
  const root = makeFolder();
  git(root, 'init', '--quiet');
  const folder = join(root, 'notes', 'memories');
  prepare(folder);
  await openAndClose(folder);
  expect(git(root, 'status', '--porcelain', '--untracked-files=all')).toBe('');

  // The owner may want to commit the mirror.
  rmSync(join(folder, '.gitignore'));
  await openAndClose(folder);
  expect(existsSync(join(folder, '.gitignore'))).toBe(false);
});

test.each([['notes.md'], ['.gitignore']])('a folder that has %s keeps its own files as they are', async (name) => {
  const root = makeFolder();
  git(root, 'init', '--quiet');
  const folder = join(root, 'memories');
  mkdirSync(folder);
  writeFileSync(join(folder, name), 'own');
  await openAndClose(folder);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('own');
  expect(existsSync(join(folder, '.gitignore'))).toBe(name === '.gitignore');
});

test('outside of a repository, nothing is written', async () => {
  const folder = join(makeFolder(), 'memories');
  await openAndClose(folder);
  expect(existsSync(join(folder, '.gitignore'))).toBe(false);
});
