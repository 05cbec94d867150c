import { expect, test } from 'vitest';
import { pairedDifference, pairedRatio, percentile, spreadOf } from './statistics.ts';

test('the median of an odd count is the middle number, whatever the order', () => {
  expect(spreadOf([9, 1, 5])).toEqual({ lower: 3, median: 5, upper: 7 });
});

test('the median of an even count lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 2, 3])).toEqual({ lower: 1.75, median: 2.5, upper: 3.25 });
});

test('a disturbance that hits both sides of a round does not move the ratio', () => {
  const calm = pairedRatio([2, 2, 2], [1, 1, 1]);
  expect(pairedRatio([2, 200, 2], [1, 100, 1])).toEqual(calm);
  expect(calm).toEqual({ lower: 2, median: 2, upper: 2 });
});

test('the ratio is the median of the ratios, not the ratio of the medians', () => {
  expect(pairedRatio([1, 10, 100], [1, 5, 1]).median).toBe(2);
});

test('a difference is taken round by round', () => {
  expect(pairedDifference([5, 9, 4], [1, 8, 2])).toEqual({ lower: 1.5, median: 2, upper: 3 });
});

test('rounds that do not pair are refused, and so are none', () => {
  expect(() => pairedRatio([1, 2], [1])).toThrow('one side has 2 rounds, the other 1');
  expect(() => spreadOf([])).toThrow(RangeError);
});

test('a percentile is the number below which the share is, whatever the order', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.75)).toBe(4);
});
