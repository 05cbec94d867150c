import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';
import { killWatches } from './killed-watches.ts';

test('loses no change when a watch is killed many times', { timeout: 180_000 }, () =>
  killWatches(runCounts.killedWatches.full),
);
