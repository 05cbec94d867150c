import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { CommandError } from './command-error.ts';
import { reportFailure } from './report-failure.ts';

test('a full disk is told in one line', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 1');
  expect(report(() => database.exec('CREATE TABLE memories (id)'))).toEqual([
    1,
    'Failed to use the SQLite file: because the disk is full. Make room, also in the directory for temporary files.\n',
  ]);
});

test('a disk that fails is told in one line, whichever operation it failed', () => {
  const writeFailed = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 778 });
  expect(
    report(() => {
      throw writeFailed;
    }),
  ).toEqual([
    1,
    'Failed to use the SQLite file: because the disk cannot be read or written. Check it, and whether it has room.\n',
  ]);
});

test('a bug keeps its stack', () => {
  const [code, output] = report(() => JSON.parse('{'));
  expect(code).toBe(1);
  expect(output).toMatch(/^SyntaxError: .*\n +at /s);
});

test.each([new CommandError(2, 'Failed: mrk_hush'), new Error('mrk_hush-2'), 'mrk_hush'])(
  'shows no key, whatever is thrown (%#)',
  (error) => {
    const [, output] = report(() => {
      throw error;
    });
    expect(output).toContain('mrk_…');
    expect(output).not.toContain('hush');
  },
);

function report(fail: () => unknown): [exitCode: number, output: string] {
  let output = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  try {
    fail();
    throw new Error('nothing failed');
  } catch (error) {
    return [reportFailure(error), output];
  } finally {
    write.mockRestore();
  }
}
