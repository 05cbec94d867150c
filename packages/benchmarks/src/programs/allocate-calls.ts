/**
 * node --expose-gc --min-semi-space-size=256 --max-semi-space-size=256 packages/benchmarks/src/programs/allocate-calls.ts URL
 *
 * Prints the KiB of heap that one `getMemory` allocates, `fetch` included, in each of several blocks of calls. The young
 * generation is so large that V8 collects no garbage within a block.
 */
import { MemoryClient } from '@memory-read/client';
import { apiKey } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

const CALLS = 300;
const BLOCKS = 5;

const [baseUrl] = process.argv.slice(2);
const client = new MemoryClient({ baseUrl, apiKey });
const call = () => client.getMemory(memoryIdAt(0));

// The first calls compile the code.
for (let done = 0; done < 2_000; done += 1) await call();
const blocks: number[] = [];
while (blocks.length < BLOCKS) {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let done = 0; done < CALLS; done += 1) await call();
  blocks.push((process.memoryUsage().heapUsed - before) / CALLS / 1024);
}
console.log(JSON.stringify(blocks));
