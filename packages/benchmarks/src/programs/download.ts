/** Downloads an object and drops it. Prints the time, the bytes, the peak memory and the held memory. */
import { MemoryClient } from '@memory-read/client';
import { heldMemory, peakMemory } from '../measurement/process-memory.ts';
import { apiKey } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

const [, , kind, baseUrl = ''] = process.argv;
const client = new MemoryClient({ baseUrl, apiKey });
await fetch(baseUrl).then((response) => response.text());

const start = performance.now();
let bytes = 0;
const reader = (await open()).getReader();
for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.byteLength;
const milliseconds = performance.now() - start;
const peakBytes = peakMemory();
console.log(JSON.stringify({ milliseconds, bytes, peakBytes, heldBytes: await heldMemory() }));

async function open(): Promise<ReadableStream<Uint8Array>> {
  if (kind === 'ours') return (await client.openMedia(memoryIdAt(0), 'audio')).body;
  const { body } = await fetch(`${baseUrl}/object`);
  if (body === null) throw new Error('The storage sent no body.');
  return body;
}
