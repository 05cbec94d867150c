// Writes the catalogue into the guide. Run it with `node --conditions=@memory-read/source packages/system-tests/src/client/faults/write-guide.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { guidePath, withCatalogue } from './guide.ts';

writeFileSync(guidePath, withCatalogue(readFileSync(guidePath, 'utf8')));
