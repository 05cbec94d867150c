import type { Memory } from '@memory-read/contract';
import { quietly } from '@memory-read/contract/event-loop';
import { redact } from '@memory-read/contract/redaction';
import { locate } from '../call-site.ts';
import { isKeyRejection } from '../configuration/api-key.ts';
import { checkOptions, checkValue } from '../configuration/check-options.ts';
import { kind } from '../configuration/option-kinds.ts';
import { ProcessingTimeoutError } from '../errors/errors.ts';
import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { encodeMemoryId } from '../memory-path.ts';
import { isTransient } from '../policy/failure-policy.ts';
import { runtime } from '../transport/deadline.ts';
import { retryAfterOf } from '../transport/retry-after.ts';
import { inParallel } from './in-parallel.ts';
import type { PollSource } from './poll-source.ts';
import type { WaitOptions, WaitOutcome } from './wait-options.ts';
import { createWaitSchedule, type WaitSchedule, waitAction, waitTable } from './wait-schedule.ts';

/** A memory that a wait polls. */
export interface PolledMemory {
  readonly memoryId: string;
  /** The memory of the last successful poll. */
  memory?: Memory;
  /** The error of the last poll; undefined if it succeeded. */
  failure?: AnyMemoryApiError | undefined;
}

/** A running wait for memories. */
export interface Wait {
  readonly source: PollSource;
  readonly schedule: WaitSchedule;
  readonly signal: AbortSignal | undefined;
  readonly onPoll: WaitOptions['onPoll'];
  readonly waiting: Map<string, PolledMemory>;
  /** Pause that the server requests in this round, in milliseconds. */
  retryAfter: number;
}

const PARALLEL_READS = 4;

/**
 * Returns a new wait.
 *
 * @throws a {@link ConfigurationError} if an id or an option is invalid.
 */
export function createWait(source: PollSource, memoryIds: Iterable<string>, given: WaitOptions): Wait {
  const { settings } = source.state();
  const options = checkOptions(waitAction, waitTable, given);
  const { signal, onPoll } = options;
  const schedule = createWaitSchedule(options, settings.maxRetryAfter);
  const waiting = new Map<string, PolledMemory>();
  for (const memoryId of checkValue(waitAction, 'the list of ids', memoryIds, iterable)) {
    encodeMemoryId(memoryId);
    waiting.set(memoryId, { memoryId });
  }
  return { source, schedule, signal, onPoll, waiting, retryAfter: 0 };
}

/** Polls memories in rounds, each time those that are selected, until each one has its outcome. */
export async function* pollRounds(
  wait: Wait,
  select: (wait: Wait) => Promise<Iterable<PolledMemory>>,
): AsyncGenerator<WaitOutcome, void, void> {
  const { schedule, waiting } = wait;
  for (let attempt = 1; waiting.size > 0; attempt += 1) {
    const emitPoll = ({ memoryId, memory, failure: error }: PolledMemory, delay: number | null) => {
      quietly(() =>
        wait.onPoll?.({
          memoryId,
          attempt,
          memory,
          error,
          elapsed: Math.round(schedule.elapsed()),
          nextDelay: delay && Math.round(delay),
        }),
      );
    };

    wait.retryAfter = 0;
    const toRead = await select(wait);
    for await (const [polled, outcome] of inParallel(toRead, PARALLEL_READS, (one) => poll(wait, one))) {
      if (outcome === undefined) continue;
      waiting.delete(polled.memoryId);
      emitPoll(polled, null);
      const pausedAt = runtime.uptime();
      yield outcome;
      schedule.resume(pausedAt);
    }

    const nextDelay = schedule.nextDelay(wait.retryAfter);
    for (const polled of waiting.values()) emitPoll(polled, nextDelay);
    if (nextDelay === null) return yield* timedOutOutcomes(wait);
    if (waiting.size > 0) await runtime.sleep(nextDelay, wait.signal);
  }
}

/** Records a transient error for the polled memories; returns false for any other error. */
export function recordTransientError(error: unknown, wait: Wait, polledMemories: Iterable<PolledMemory>): boolean {
  if (!isMemoryApiError(error) || isKeyRejection(error) || !isTransient(error)) return false;
  wait.retryAfter = Math.max(wait.retryAfter, Math.min(retryAfterOf(error), wait.schedule.maxRetryAfter));
  // The end of the wait cut the request short, which is not a failure of the server.
  if (error.code === 'timeout' && error.limit === 'total') return true;
  for (const polled of polledMemories) polled.failure = error;
  return true;
}

/** A single id is refused, because a string is an iterable of its characters. */
const iterable = kind(
  'an iterable of ids',
  'Pass an array of ids.',
  (value) => typeof value === 'object' && typeof (value as Iterable<string> | null)?.[Symbol.iterator] === 'function',
);

/** Polls one memory, and returns its outcome if it has one. */
async function poll(wait: Wait, polled: PolledMemory): Promise<[PolledMemory, WaitOutcome?]> {
  // Retry-After applies to the whole round, not only to this memory.
  if (wait.retryAfter > 0) return [polled];
  const { memoryId } = polled;
  try {
    const memory = await wait.source.getMemory(memoryId, wait.schedule.requestOptions(wait.signal));
    polled.memory = memory;
    polled.failure = undefined;
    return memory.is_processing === false ? [polled, { memoryId, status: 'processed', memory }] : [polled];
  } catch (error) {
    if (recordTransientError(error, wait, [polled])) return [polled];
    if (!isMemoryApiError(error) || isKeyRejection(error)) throw error;
    polled.failure = error;
    return [polled, { memoryId, status: error.code === 'not_found' ? 'not_found' : 'failed', error }];
  }
}

function* timedOutOutcomes({ source, schedule, waiting, retryAfter }: Wait): Generator<WaitOutcome, void, void> {
  const maxWait = Number(schedule.maxWait);
  for (const { memoryId, memory, failure } of waiting.values()) {
    const shownId = redact(memoryId, source.state().apiKeys);
    const problem = retryAfter
      ? `the server requested a pause of ${retryAfter} ms, which exceeds the rest of maxWait (${maxWait} ms)`
      : `${memory ? 'it was not processed' : 'no poll succeeded'} within ${maxWait} ms`;
    // A longer wait does not help against a failure.
    const remedy = failure && !retryAfter ? failure.message : 'Raise maxWait, or wait again later.';
    const error = new ProcessingTimeoutError(
      `Failed to wait for memory ${JSON.stringify(shownId)}: ${problem}. ${remedy}`,
      { memoryId: shownId, memory, maxWait, cause: failure },
    );
    yield { memoryId, status: 'timed_out', error: locate(error, source.site) };
  }
}
