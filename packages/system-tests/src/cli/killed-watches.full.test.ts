import { expect, test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { killWatches } from './killed-watches.ts';

test('a watch that is killed many times loses nothing', { timeout: 180_000 }, async () => {
  const kills = runCounts.killedWatches.full;
  const { printed, total } = await killWatches(kills);
  expect([...new Set(printed)]).toEqual(Array.from({ length: total }, (_item, index) => index + 1));
  expect(printed.length - total).toBeLessThanOrEqual(kills);
});
