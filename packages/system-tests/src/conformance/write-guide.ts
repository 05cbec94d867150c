// Writes the rules into the guide. Run it with `node --conditions=@memory-read/source packages/system-tests/src/conformance/write-guide.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { guidePath, withRules } from './guide.ts';

writeFileSync(guidePath, withRules(readFileSync(guidePath, 'utf8')));
