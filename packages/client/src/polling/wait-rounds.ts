import type { Memory } from '@memory-read/contract';
import { checkOptions } from '../configuration/option-checks.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { ProcessingTimeoutError } from '../errors/processing-timeout-error.ts';
import { encodeMemoryId } from '../memory-path.ts';
import { notify } from '../notify.ts';
import { inParallel } from './in-parallel.ts';
import type { PollSource } from './poll-source.ts';
import { isCut, tolerate } from './transient-error.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWaitSchedule, type WaitSchedule } from './wait-schedule.ts';

/** What a wait knows of one memory. */
export interface Sighting {
  readonly memoryId: string;
  /** As last seen. */
  memory?: Memory;
  /** The last failure to see it. */
  failure?: AnyMemoryApiError;
}

/** A wait for memories, under way. */
export interface Wait {
  readonly source: PollSource;
  readonly schedule: WaitSchedule;
  readonly signal: AbortSignal | undefined;
  readonly onPoll: WaitOptions['onPoll'];
  readonly waiting: Map<string, Sighting>;
  /** Milliseconds that the server asked to wait in this round. */
  retryAfter: number;
}

const PARALLEL_READS = 4;

/** @throws {ConfigurationError} for ids and options that cannot be used. */
export function createWait(source: PollSource, memoryIds: Iterable<string>, options: WaitOptions): Wait {
  const { signal, onPoll } = checkOptions(options);
  const schedule = createWaitSchedule(options, source.runtime);
  const waiting = new Map<string, Sighting>();
  for (const memoryId of checkIds(memoryIds)) {
    encodeMemoryId(memoryId);
    waiting.set(memoryId, { memoryId });
  }
  return { source, schedule, signal, onPoll, waiting, retryAfter: 0 };
}

/** Reads memories, those that are chosen anew in each round, until each has its outcome. */
export async function* waitRounds(
  wait: Wait,
  choose: (wait: Wait) => Promise<Iterable<Sighting>>,
): AsyncGenerator<WaitOutcome, void, void> {
  const { source, schedule, waiting } = wait;
  for (let attempt = 1; waiting.size > 0; attempt += 1) {
    const tell = ({ memoryId, memory }: Sighting, nextDelay: number | null) =>
      notify(wait.onPoll, { memoryId, attempt, elapsed: schedule.elapsed(), nextDelay, memory });

    wait.retryAfter = 0;
    const toRead = await choose(wait);
    for await (const [sighting, outcome] of inParallel(toRead, PARALLEL_READS, (one) => read(wait, one))) {
      if (outcome === undefined) continue;
      waiting.delete(sighting.memoryId);
      tell(sighting, null);
      const resume = schedule.pause();
      yield outcome;
      resume();
    }

    const nextDelay = schedule.nextDelay(wait.retryAfter);
    for (const sighting of waiting.values()) tell(sighting, nextDelay);
    if (nextDelay === null) return yield* timeOut(wait);
    if (waiting.size > 0) await source.runtime.sleep(nextDelay, wait.signal);
  }
}

/** Remembers a failure that is no reason to end the wait; false for any other. */
export function isTolerated(error: unknown, wait: Wait, sightings: Iterable<Sighting>): boolean {
  const setback = tolerate(error);
  if (setback === undefined) return false;
  wait.retryAfter = Math.max(wait.retryAfter, setback.retryAfter);
  if (!isCut(setback.error)) for (const sighting of sightings) sighting.failure = setback.error;
  return true;
}

/** One id in the place of several would be taken for those of its characters. */
function checkIds(memoryIds: Iterable<string>): Iterable<string> {
  if (typeof memoryIds === 'object' && typeof memoryIds?.[Symbol.iterator] === 'function') return memoryIds;
  throw new ConfigurationError('Failed to wait for memories: because their ids are no iterable. Pass an array of ids.');
}

/** How the wait for a memory ended, if it did. */
async function read(wait: Wait, sighting: Sighting): Promise<[Sighting, WaitOutcome?]> {
  // Who is asked to wait does not go on with the rest.
  if (wait.retryAfter > 0) return [sighting];
  const { memoryId } = sighting;
  try {
    const memory = await wait.source.getMemory(memoryId, wait.schedule.requestOptions(wait.signal));
    sighting.memory = memory;
    return memory.is_processing === false ? [sighting, { memoryId, status: 'processed', memory }] : [sighting];
  } catch (error) {
    if (isTolerated(error, wait, [sighting])) return [sighting];
    if (!isMemoryApiError(error)) throw error;
    return [sighting, { memoryId, status: error.code === 'not_found' ? 'not_found' : 'failed', error }];
  }
}

function* timeOut({ source, schedule, waiting, retryAfter }: Wait): Generator<WaitOutcome, void, void> {
  const maxWait = Number(schedule.maxWait);
  for (const { memoryId, memory, failure } of waiting.values()) {
    const shownId = source.redact(memoryId);
    const problem = retryAfter
      ? `the server asks to wait for ${retryAfter} ms or more, beyond the ${maxWait} ms of maxWait`
      : `no look within ${maxWait} ms ${memory ? 'found it processed' : 'succeeded'}`;
    const error = new ProcessingTimeoutError(
      `Failed to wait for memory ${JSON.stringify(shownId)}: because ${problem}. Raise maxWait, or wait again later.`,
      { memoryId: shownId, memory, maxWait, cause: failure },
    );
    yield { memoryId, status: 'timed_out', error };
  }
}
