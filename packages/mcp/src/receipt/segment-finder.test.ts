import { expect, test } from 'vitest';
import { segmentFinder } from './segment-finder.ts';

test('finds the segments of a part, without those that have no text', () => {
  const find = segmentFinder([undefined, { start: 0, end: 5 }, undefined, { start: 6, end: 8 }, { start: 9, end: 12 }]);
  expect(find(0, 5)).toEqual([1, 1]);
  expect(find(2, 7)).toEqual([1, 3]);
  expect(find(6, 8)).toEqual([3, 3]);
  expect(find(7, 12)).toEqual([3, 4]);
});

test('reads each segment a fixed number of times, however many parts it finds', () => {
  const count = 1_000;
  const places = Array.from({ length: count }, (_, index) => ({ start: index * 2, end: index * 2 + 1 }));
  let reads = 0;
  const counted = new Proxy(places, {
    get: (target, name) => {
      if (name !== 'length') reads += 1;
      return Reflect.get(target, name);
    },
  });
  const find = segmentFinder(counted);
  for (const [index, { start, end }] of places.entries()) expect(find(start, end)).toEqual([index, index]);
  expect(reads).toBeLessThanOrEqual(4 * count);
});
