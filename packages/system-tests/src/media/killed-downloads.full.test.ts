import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { saveThroughKills } from './killed-downloads.ts';

test('files that are saved through kills at random places are identical', async () => {
  let runs = 0;
  for (; runs < runCounts.killedDownloads.full; runs += 1) await saveThroughKills();
  expect(runs).toBe(runCounts.killedDownloads.full);
}, 300_000);
