import type { ListedMemory } from '@memory-read/contract';
import { bindCallerContext } from '../caller-context.ts';
import { OptionChecks } from '../configuration/option-checks.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { abortableGenerator } from './abortable-generator.ts';
import { byId, type PollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import {
  createWait,
  type PolledMemory,
  pollRounds,
  recordTransientError,
  type Wait,
  waitAction,
} from './wait-rounds.ts';
import { waitNames } from './wait-schedule.ts';

/** Polls the list until each memory is processed; reads those that are, and those that are not listed. */
export function waitForMemories(
  source: PollSource,
  memoryIds: Iterable<string>,
  options: WaitOptions,
): AsyncGenerator<WaitOutcome, void, void> {
  // All polls of a wait run in the asynchronous context of the caller that created it.
  const [listMemories, getMemory] = [bindCallerContext(source.listMemories), bindCallerContext(source.getMemory)];
  const ownSource = { ...source, listMemories, getMemory };
  const ids = Array.isArray(memoryIds) ? [...memoryIds] : memoryIds;
  const settled = new OptionChecks(waitAction).settleLater(options, waitNames);
  const generate = async function* (signal: AbortSignal) {
    yield* pollRounds(createWait(ownSource, ids, { ...settled(), signal }), selectByList);
  };
  return abortableGenerator(settled, generate, source.site);
}

async function selectByList(wait: Wait): Promise<PolledMemory[]> {
  const { source, schedule, signal } = wait;
  const waiting = [...wait.waiting.values()];
  let listed: ReadonlyMap<string, ListedMemory>;
  try {
    listed = byId(await source.listMemories(schedule.requestOptions(signal)));
  } catch (error) {
    if (recordTransientError(error, wait, waiting)) return [];
    if (!isListOfBadItems(error)) throw error;
    listed = new Map();
  }
  return waiting.filter((polled) => {
    const memory = listed.get(polled.memoryId);
    if (memory !== undefined) polled.memory = memory;
    polled.failure = undefined;
    return memory?.is_processing !== true;
  });
}

/** Whether the response is a list, of which every item violates the contract. The memories are then read one by one. */
function isListOfBadItems(error: unknown): boolean {
  return isMemoryApiError(error) && 'issues' in error && Number.isInteger(error.issues[0]?.path[0]);
}
