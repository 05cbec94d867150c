// Writes what is seen of the mock's faults into the guide. Run it with `node --conditions=@memory-read/source packages/system-tests/src/mock/write-guide.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { guidePath, withMeasurements } from './guide.ts';
import { measureFaults } from './measure-faults.ts';

writeFileSync(guidePath, withMeasurements(readFileSync(guidePath, 'utf8'), await measureFaults()));
