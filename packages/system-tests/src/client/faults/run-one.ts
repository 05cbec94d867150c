import { MemoryClient } from '@memory-read/client';
import { faults } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import { runFault } from '@memory-read/integration-tests/client/faults/run-fault';

/** A program that runs one fault, prints the problems in one line, and has nothing left to do. */
const [name, baseUrl = ''] = process.argv.slice(2);
const fault = faults.find((candidate) => candidate.name === name);
if (fault === undefined) throw new Error(`There is no fault "${name}".`);
const { violations } = await runFault(fault, baseUrl, (options) => new MemoryClient(options));
process.stdout.write(`${JSON.stringify(violations)}\n`);
