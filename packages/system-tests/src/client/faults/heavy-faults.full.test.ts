import { MemoryClient } from '@memory-read/client';
import { faults } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import { useFaultServer } from '@memory-read/integration-tests/client/faults/fault-server/spawn-fault-server';
import { runFault } from '@memory-read/integration-tests/client/faults/run-fault';
import { expect, test } from 'vitest';

const server = useFaultServer();

test.each(faults.filter(({ isHeavy }) => isHeavy))('where $name', { timeout: 180_000 }, async (fault) => {
  const outcome = await runFault(fault, server().addressOf(fault.name), (options) => new MemoryClient(options));
  expect(outcome.violations).toEqual([]);
});
