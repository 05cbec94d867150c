import type { Memory } from '@memory-read/contract';
import type { Client } from '../client.ts';
import { createPollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWait, pollRounds } from './wait-rounds.ts';

/**
 * Polls a memory until it is processed, and returns it. See section 3 of the specification.
 *
 * It rejects with the errors of `MemoryClient.waitForMemory`.
 *
 * @example
 * ```ts
 * const processed = await waitForMemory(client, 'mem_1', { maxWait: 600_000 });
 * console.log(processed.is_processing);
 * ```
 */
export async function waitForMemory(client: Client, memoryId: string, options: WaitOptions = {}): Promise<Memory> {
  const wait = createWait(createPollSource(client, 'waitForMemory'), [memoryId], options);
  const { value } = await pollRounds(wait, async ({ waiting }) => waiting.values()).next();
  // A wait for one id yields exactly one outcome.
  const outcome = value as WaitOutcome;
  if (outcome.status === 'processed') return outcome.memory;
  throw outcome.error;
}
