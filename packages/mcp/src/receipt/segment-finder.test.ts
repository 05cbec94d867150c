import { expect, test } from 'vitest';
import { segmentFinder } from './segment-finder.ts';

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
