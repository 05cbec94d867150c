// Writes the edge cases into the guide. Run it with `node --conditions=@memory-read/source packages/system-tests/src/docs/edge-cases/write-guide.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { guidePath, withEdgeCases } from './guide.ts';

writeFileSync(guidePath, withEdgeCases(readFileSync(guidePath, 'utf8')));
