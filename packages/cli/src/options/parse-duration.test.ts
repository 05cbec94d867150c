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

test('a range has its limits, and its message names them', () => {
  const parse = parseDuration('--timeout', { from: '0s', to: '1h' });
  expect(['0s', '0ms', '1h', '60m'].map(parse)).toEqual([0, 0, 3_600_000, 3_600_000]);
  expect(() => parse('61m')).toThrow(/--timeout: "61m" is not a duration from 0s to 1h\. Pass one such as 30s\.$/);
  expect(() => parseDuration('--timeout', { from: '250ms', to: '1h' })('249ms')).toThrow(
    /"249ms" is not a duration from/,
  );
});
