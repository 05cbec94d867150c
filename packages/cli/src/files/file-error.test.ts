import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainFileError } from './file-error.ts';

test('an error of the file system is told of the path that people know, and of no temporary one', () => {
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

test('what is no error of the file system stays as it is', () => {
  const error = new TypeError('x');
  expect(explainFileError('notes.md', error)).toBe(error);
});
