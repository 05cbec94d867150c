// Writes openapi.json, the published copy of the document. Run it with `npm run pnpm -- --filter @memory-read/contract run openapi`.
import { writeFileSync } from 'node:fs';
import { buildOpenApiDocument } from '../src/openapi/index.ts';

// Where `memory-read serve` listens unless told otherwise.
const document = buildOpenApiDocument({ serverUrl: 'http://127.0.0.1:8787' });

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
