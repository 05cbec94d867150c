import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';

test('accepts none of 100,000 mutated receipts', { timeout: 300_000 }, async () => {
  // The unit test of the package runs fewer of the same mutations.
  const { acceptedMutations } = await import(join(root, 'packages/mcp/src/testing/mutate-receipts.ts'));
  const accepted = acceptedMutations(runCounts.mutatedReceipts.full, 7);
  console.log(`Mutated receipts: ${accepted.length} of ${runCounts.mutatedReceipts.full} valid`);
  expect(accepted).toEqual([]);
});
