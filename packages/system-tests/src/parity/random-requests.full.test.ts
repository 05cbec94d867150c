import { expectEqualAnswers } from '@memory-read/integration-tests/parity/expect-equal-answers';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';

test('very many random requests get one and the same answer from mock and servers, the one of the specification', async () => {
  await expectEqualAnswers(runCounts.parityRequests.full);
}, 300_000);
