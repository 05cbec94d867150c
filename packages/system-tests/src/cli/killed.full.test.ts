import { test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { killMirrors } from './killed-mirrors.ts';
import { killWatches } from './killed-watches.ts';

test('mirrors that are killed at random points finally save everything of the account', {
  timeout: 300_000,
}, async () => {
  const { runs, kills } = runCounts.killedMirrors.full;
  for (let run = 0; run < runs; run += 1) await killMirrors(kills);
});

test('a watch that is killed many times loses nothing', { timeout: 180_000 }, () =>
  killWatches(runCounts.killedWatches.full),
);
