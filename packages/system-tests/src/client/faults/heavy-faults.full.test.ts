import { MemoryClient } from '@memory-read/client';
import { faults } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import { useFaultServer } from '@memory-read/integration-tests/client/faults/fault-server/spawn-fault-server';
import { printOutcomes } from '@memory-read/integration-tests/client/faults/fault-tables';
import { runFault } from '@memory-read/integration-tests/client/faults/run-fault';
import { expect, test } from 'vitest';

const server = useFaultServer();

test.each(faults.filter(({ isHeavy }) => isHeavy))(
  'where $name',
  async (fault) => {
    const outcome = await runFault(fault, server().addressOf(fault.name), (options) => new MemoryClient(options));
    console.log(printOutcomes([outcome]));
    expect(outcome.violations).toEqual([]);
  },
  180_000,
);
