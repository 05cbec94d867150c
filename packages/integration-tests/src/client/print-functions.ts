/**
 * node --conditions=@memory-read/source packages/integration-tests/src/client/print-functions.ts
 *
 * Prints the functions of the client that one `getMemory` runs, by file, without those of ky.
 */
import { createClient, getMemory } from '@memory-read/client/functions';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { printFunctions } from '../architecture/print-functions.ts';

const text = JSON.stringify(sampleMemory({ id: 'mem_1' }));
globalThis.fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } });
const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test' });

await printFunctions(new URL('../../../client/src/', import.meta.url), async () => {
  await getMemory(client, 'mem_1');
});
