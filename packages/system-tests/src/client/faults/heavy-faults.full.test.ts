import { MemoryClient } from '@memory-read/client';
import { expect, test } from 'vitest';
import { faults } from './catalogue/catalogue.ts';
import { useFaultServer } from './fault-server/spawn-fault-server.ts';
import { printOutcomes } from './fault-tables.ts';
import { runFault } from './run-fault.ts';

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
