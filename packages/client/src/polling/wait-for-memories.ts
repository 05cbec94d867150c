import type { ListedMemory } from '@memory-read/contract';
import { inContextOfNow } from '../caller-context.ts';
import { endable } from './abortable-generator.ts';
import { byId, type PollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWait, isTolerated, type Sighting, type Wait, waitRounds } from './wait-rounds.ts';

/** Looks at the list until each memory is processed; reads those that are, and those that are not listed. */
export function waitForMemories(
  source: PollSource,
  memoryIds: Iterable<string>,
  options: WaitOptions,
): AsyncGenerator<WaitOutcome, void, void> {
  // One wait reads as one caller, whoever asks for its outcomes.
  const [listMemories, getMemory] = [inContextOfNow(source.listMemories), inContextOfNow(source.getMemory)];
  const ownSource = { ...source, listMemories, getMemory };
  return endable(options, async function* (signal) {
    yield* waitRounds(createWait(ownSource, memoryIds, { ...options, signal }), chooseByList);
  });
}

async function chooseByList(wait: Wait): Promise<Sighting[]> {
  const { source, schedule, signal } = wait;
  const waiting = [...wait.waiting.values()];
  let listed: ReadonlyMap<string, ListedMemory>;
  try {
    listed = byId(await source.listMemories(schedule.requestOptions(signal)));
  } catch (error) {
    if (isTolerated(error, wait, waiting)) return [];
    throw error;
  }
  return waiting.filter((sighting) => {
    const memory = listed.get(sighting.memoryId);
    if (memory !== undefined) sighting.memory = memory;
    return memory?.is_processing !== true;
  });
}
