/** Calls `getMemory` so many times, and prints by how many bytes more are held then. Needs `--expose-gc`. */
import { MemoryClient } from '@memory-read/client';
import { heldMemory } from '../measurement/held-memory.ts';
import { apiKey } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

const concurrency = 8;
const [, , baseUrl = '', calls = '0'] = process.argv;
const client = new MemoryClient({ baseUrl, apiKey });
const { signal } = new AbortController();

await callOften(Number(calls) / 10);
const before = await heldMemory();
await callOften((Number(calls) * 9) / 10);
console.log((await heldMemory()) - before);

async function callOften(count: number): Promise<void> {
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await client.getMemory(memoryIdAt(0), { signal });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
}
