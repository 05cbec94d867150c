import { checkRandomNames } from '@memory-read/integration-tests/mirror/check-random-names';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';

test('names agree with plain arrays after each step of a random history', { timeout: 1_800_000 }, () =>
  checkRandomNames(runCounts.randomNames.full),
);
