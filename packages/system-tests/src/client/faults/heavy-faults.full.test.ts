import { MemoryClient } from '@memory-read/client';
import { beforeAll, expect, test } from 'vitest';
import { faults } from './catalogue/catalogue.ts';
import { type FaultServerProcess, spawnFaultServer } from './fault-server/spawn-fault-server.ts';
import { printOutcomes } from './fault-tables.ts';
import { runFault } from './run-fault.ts';

let server: FaultServerProcess;

beforeAll(async () => {
  server = await spawnFaultServer();
  return () => server.close();
});

test.each(faults.filter(({ isHeavy }) => isHeavy))(
  'where $name',
  async (fault) => {
    const outcome = await runFault(fault, server.addresses[fault.name] ?? '', (options) => new MemoryClient(options));
    console.log(printOutcomes([outcome]));
    expect(outcome.violations).toEqual([]);
  },
  180_000,
);
