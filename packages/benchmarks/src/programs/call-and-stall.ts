/**
 * Starts calls at the same time that all stall, and waits until the last one has ended at its limit. Prints the time, and how
 * many bytes more are held after another round. Needs `--expose-gc`.
 */
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { heldMemory } from '../measurement/held-memory.ts';
import { apiKey, authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';

const limit = 500;
const [, , kind, baseUrl = '', calls = '0'] = process.argv;
const client = new MemoryClient({ baseUrl, apiKey, totalTimeout: limit });
const call = kind === 'ours' ? callClient : callFetch;

await callAll();
const before = await heldMemory();
const start = performance.now();
await callAll();
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ milliseconds, heldBytes: (await heldMemory()) - before }));
// Sockets that the server has not closed would keep the process alive.
process.exit();

async function callAll(): Promise<void> {
  const endings = await Promise.all(Array.from({ length: Number(calls) }, call));
  if (!endings.every(Boolean)) throw new Error('A call ended in another way than at its limit.');
}

function callClient(): Promise<boolean> {
  return client.getMemory(memoryIdAt(0)).then(
    () => false,
    (error: unknown) => isMemoryApiError(error) && error.code === 'timeout',
  );
}

function callFetch(): Promise<boolean> {
  const signal = AbortSignal.timeout(limit);
  return fetch(`${baseUrl}/v1/memories`, { headers: { accept: 'application/json', authorization }, signal })
    .then((response) => response.text())
    .then(
      () => false,
      (error: unknown) => error instanceof Error && error.name === 'TimeoutError',
    );
}
