import { test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { killWatches } from './killed-watches.ts';

test('a watch that is killed many times loses nothing', { timeout: 180_000 }, () =>
  killWatches(runCounts.killedWatches.full),
);
