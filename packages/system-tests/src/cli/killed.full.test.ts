import { test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { killWatches } from './killed-watches.ts';

test('loses no change when a watch is killed many times', { timeout: 180_000 }, () =>
  killWatches(runCounts.killedWatches.full),
);
