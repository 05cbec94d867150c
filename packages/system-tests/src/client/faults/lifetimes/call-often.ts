import { getEventListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { MemoryClient } from '@memory-read/client';

/**
 * A program that makes this number of calls with one signal, of which one in ten fails. It prints in one line what is
 * left of them. Needs --expose-gc.
 */
const [answering = '', failing = '', count = '0'] = process.argv.slice(2);
const client = new MemoryClient({ baseUrl: answering, apiKey: 'mrk_key' });
const waiting = client.withOptions({ baseUrl: failing });
const { signal } = new AbortController();

await callOften(2_000); // Fills caches and creates everything that is created only once.
const before = await heapUsed();
await callOften(Number(count));
const grown = (await heapUsed()) - before;
process.stdout.write(`${JSON.stringify({ listeners: getEventListeners(signal, 'abort').length, grown })}\n`);

async function callOften(calls: number): Promise<void> {
  let left = calls;
  const callers = Array.from({ length: 100 }, async () => {
    while (left > 0) {
      left -= 1;
      if (left % 10 > 0) await client.listMemories({ signal });
      else await waiting.listMemories({ signal }).catch(() => {}); // Rejects after two retries.
    }
  });
  await Promise.all(callers);
}

/** Collects several times, because finalizers run some time after a collection and free more. */
async function heapUsed(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await setTimeout(50);
  }
  return process.memoryUsage().heapUsed;
}
