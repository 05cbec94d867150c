import type { ListedMemory } from '@memory-read/contract';
import type { Client } from '../client.ts';
import { checkOptionsLater } from '../configuration/check-options.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { abortableGenerator } from './abortable-generator.ts';
import { byId, createPollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWait, type PolledMemory, pollRounds, recordTransientError, type Wait } from './wait-rounds.ts';
import { waitAction, waitTable } from './wait-schedule.ts';

/**
 * Polls several memories, and yields the outcome of each one when its wait ends. See section 3 of the specification.
 *
 * The iteration throws the errors of `MemoryClient.waitForMemories`.
 *
 * @example
 * ```ts
 * for await (const { memoryId, status } of waitForMemories(client, ['mem_1', 'mem_2'])) console.log(memoryId, status);
 * ```
 */
export function waitForMemories(
  client: Client,
  memoryIds: Iterable<string>,
  options: WaitOptions = {},
): AsyncGenerator<WaitOutcome, void, void> {
  const source = createPollSource(client, 'waitForMemories');
  const ids = Array.isArray(memoryIds) ? [...memoryIds] : memoryIds;
  const settled = checkOptionsLater(waitAction, waitTable, options);
  const generate = async function* (signal: AbortSignal) {
    yield* pollRounds(createWait(source, ids, { ...settled(), signal }), selectByList);
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
