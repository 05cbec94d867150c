import type { Memory } from '@memory-read/contract';
import type { PollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWait, pollRounds } from './wait-rounds.ts';

/** Polls a memory until it is processed. */
export async function waitForMemory(source: PollSource, memoryId: string, options: WaitOptions): Promise<Memory> {
  const wait = createWait(source, [memoryId], options);
  const { value } = await pollRounds(wait, async ({ waiting }) => waiting.values()).next();
  // A wait for one id yields exactly one outcome.
  const outcome = value as WaitOutcome;
  if (outcome.status === 'processed') return outcome.memory;
  throw outcome.error;
}
