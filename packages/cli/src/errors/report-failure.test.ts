import { expect, test, vi } from 'vitest';
import { CommandError } from './command-error.ts';
import { reportFailure } from './report-failure.ts';

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
