import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainFileError } from './file-error.ts';

test('names the path of the user in an error of the file system, not a temporary path', () => {
  let cause: unknown;
  try {
    readFileSync('/dev/null/x.tmp');
  } catch (error) {
    cause = Object.assign(error as Error, { code: 'EIO' });
  }
  expect(explainFileError('notes.md', cause)).toMatchObject({
    message: 'Failed to use "notes.md": ENOTDIR: not a directory. Check the path.',
    exitCode: 1,
    cause,
  });
});

test('returns other errors unchanged', () => {
  const error = new TypeError('x');
  expect(explainFileError('notes.md', error)).toBe(error);
});
