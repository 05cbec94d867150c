import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';
import { expectEqualAnswers } from './expect-equal-answers.ts';

test('random requests get one and the same answer from mock and servers, the one of the specification', async () => {
  await expectEqualAnswers(runCounts.parityRequests.short);
});
