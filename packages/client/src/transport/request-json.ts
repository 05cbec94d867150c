import type { Answer } from './answer.ts';
import { sendAttempt } from './attempt.ts';
import { type Call, emitEvent } from './call.ts';
import { retryDelay } from './retry-policy.ts';
import { throwIfTimedOut } from './timeout-error.ts';

/** Sends attempts until one returns JSON, or fails in a way that is not retried. */
export async function requestJson(call: Call): Promise<Answer> {
  for (;;) {
    call.attempt += 1;
    const outcome = await sendAttempt(call);
    if ('answer' in outcome) return outcome.answer;

    const { failure } = outcome;
    const delay = retryDelay(failure, call);
    if (delay === undefined) throw failure;
    if (failure.code !== 'timeout') call.lastFailure = failure;
    emitEvent(call, 'onRetry', { delay, error: failure });
    await call.runtime.sleep(delay, call.signal);
    throwIfTimedOut(call);
  }
}
