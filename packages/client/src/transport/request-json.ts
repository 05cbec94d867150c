import { longestTimer } from '@memory-read/contract/event-loop';
import { currentApiKey } from '../configuration/api-key.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { backoff, isTransient, LONGEST_CALL_PAUSE, pauseFor } from '../policy/failure-policy.ts';
import { sendAttempt } from './attempt.ts';
import { type Call, describeAction, emitEvent, setApiKey, throwIfTimedOut } from './call.ts';
import { remainingTime, runtime, timeLimit, withTimeout } from './deadline.ts';
import type { JsonResponse } from './outcome.ts';
import { retryAfterOf } from './retry-after.ts';

/** Sends attempts until one returns JSON, or fails in a way that is not retried. */
export async function requestJson(call: Call): Promise<JsonResponse> {
  let retries = 0;
  let hasTriedRenewal = false;
  for (;;) {
    call.attempt += 1;
    const outcome = await sendAttempt(call);
    if ('response' in outcome) return outcome.response;

    const { failure } = outcome;
    let delay: number | undefined;
    if (failure.code !== 'authentication') {
      retries += 1;
      delay = retryDelay(failure, call, retries);
    } else if (!hasTriedRenewal) {
      hasTriedRenewal = true;
      delay = (await renewKey(call)) ? 0 : undefined;
    }
    if (delay === undefined) throw failure;
    if (failure.code !== 'timeout') call.lastFailure = failure;
    emitEvent(call, 'onRetry', { delay, error: failure });
    if (delay > 0) await runtime.sleep(delay, call.signal);
    throwIfTimedOut(call);
  }
}

/** Returns the milliseconds to wait before the next attempt; undefined if no attempt follows. */
function retryDelay(failure: AnyMemoryApiError, call: Call, retries: number): number | undefined {
  const { settings } = call;
  const remaining = Math.min(remainingTime(call), longestTimer);
  // A timer can fire a moment early, so that some of the total time seems to be left.
  if (failure.code === 'timeout' && failure.limit === 'total') return undefined;
  if (retries > settings.retries || remaining <= 0 || !isTransient(failure)) return undefined;
  const retryAfter = retryAfterOf(failure);
  if (retryAfter >= remaining || retryAfter > (settings.maxRetryAfter ?? LONGEST_CALL_PAUSE)) return undefined;
  return pauseFor(
    backoff(runtime.random, retries, remaining),
    retryAfter,
    runtime.random,
    (remaining - retryAfter) / 2,
  );
}

/** Calls the apiKey function once more, because its key may have been replaced. Returns whether it returned another key. */
async function renewKey(call: Call): Promise<boolean> {
  const { apiKey: source } = call.client.settings;
  if (typeof source !== 'function') return false;
  const { milliseconds } = timeLimit(call);
  const apiKey = await withTimeout(currentApiKey(source, describeAction(call)), milliseconds, call.signal);
  if (typeof apiKey !== 'string' || apiKey === call.apiKey) return false;
  setApiKey(call, apiKey);
  call.hasFreshKey = true;
  return true;
}
