import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { CommandError } from './command-error.ts';
import { reportFailure } from './report-failure.ts';

test('prints the stack of a bug', () => {
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

test('prints a failure as one line without control characters', () => {
  for (const error of [new CommandError(1, 'Failed: a\n\u001b[2Jb'), new Error('Failed to a\n\u001b[2Jb')]) {
    const [, output] = report(() => {
      throw error;
    });
    expect(output).toMatch(/a\\n\\u001b\[2Jb\n$/);
  }
  const [, stack] = report(() => {
    throw new Error('\u001b[2J');
  });
  expect(stack).toMatch(/^Error: \\u001b\[2J\n +at /);
});

function report(fail: () => unknown): [exitCode: number, output: string] {
  const process = new TestProcess();
  try {
    fail();
    throw new Error('nothing failed');
  } catch (error) {
    return [reportFailure(process, error), process.stderr.text];
  }
}
