import { MemoryClient } from '@memory-read/client';
import { faults } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import { useCatalogue } from '@memory-read/integration-tests/client/faults/played-catalogue';
import { runFault } from '@memory-read/integration-tests/client/faults/run-fault';
import { expect, test } from 'vitest';

const played = useCatalogue();

test.each(faults.filter(({ isHeavy }) => isHeavy))('where $name', { timeout: 180_000 }, async (fault) => {
  const outcome = await runFault(fault, played().addressOf(fault.name), (options) => new MemoryClient(options));
  expect(outcome.violations).toEqual([]);
});
