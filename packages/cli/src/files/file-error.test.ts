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

test.each(['EMFILE', 'ENFILE'])('says what to do if too many files are open: %s', (code) => {
  const cause = Object.assign(new Error(`${code}: too many open files, open 'x.tmp'`), { code, syscall: 'open' });
  expect(explainFileError('notes.md', cause)).toMatchObject({
    message: expect.stringMatching(/^Failed to use "notes\.md": too many files are open[^.]*\. (Raise|Stop) /),
  });
});

test('returns other errors unchanged', () => {
  const error = new TypeError('x');
  expect(explainFileError('notes.md', error)).toBe(error);
});
