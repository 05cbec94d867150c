import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';
import { checkRandomNames } from './check-random-names.ts';

test('names agree with plain arrays after each step of a random history', () =>
  checkRandomNames(runCounts.randomNames.short));
