import { expect, test } from 'vitest';
import { faults } from './catalogue/catalogue.ts';

test('no two faults have one name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test('no fault keeps anyone waiting for more than 250 ms', () => {
  const waits = faults.map(({ name, options: { timeout, totalTimeout } = {}, abort, expected }) => {
    const untilTimeout = Math.min(
      (timeout || Number.POSITIVE_INFINITY) * expected.attempts,
      totalTimeout ?? Number.POSITIVE_INFINITY,
    );
    return { name, wait: (Number.isFinite(untilTimeout) ? untilTimeout : 0) + (abort?.after ?? 0) };
  });
  expect(waits.filter(({ wait }) => wait > 250)).toEqual([]);
  expect(Math.max(...waits.map(({ wait }) => wait))).toBeGreaterThan(0);
});
