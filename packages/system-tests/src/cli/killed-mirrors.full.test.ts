import { expect, test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { killMirrors } from './killed-mirrors.ts';

test('mirrors that are killed at random places end with all that the account has', { timeout: 300_000 }, async () => {
  let runs = 0;
  for (; runs < runCounts.killedMirrors.full.runs; runs += 1) await killMirrors(runCounts.killedMirrors.full.kills);
  expect(runs).toBe(runCounts.killedMirrors.full.runs);
});
