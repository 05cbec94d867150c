import { expect, test } from 'vitest';
import { parseDuration } from './parse-duration.ts';

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['2H', 7_200_000],
  ['1d', 86_400_000],
  ['2w', 1_209_600_000],
])('%s is %i ms', (text, milliseconds) => {
  expect(parseDuration('--timeout')(text)).toBe(milliseconds);
});

test.each(['', '5', 's', '0s', '-1s', '1.5h', '25d', '597h', '5 m'])('“%s” is refused as wrong usage', (text) => {
  expect(() => parseDuration('--timeout')(text)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining(`--timeout: ${JSON.stringify(text)} is not a duration`),
    }),
  );
});
