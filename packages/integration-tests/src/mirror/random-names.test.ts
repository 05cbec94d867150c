import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { checkRandomNames } from './check-random-names.ts';

test('names agree with plain arrays after each step of a random history', async () => {
  const happened = await checkRandomNames(runCounts.randomNames.short);
  console.log(happened);
  expect(Object.keys(happened).sort()).toEqual([]);
});
