import { RequestTimeoutError, type TimeoutLimit } from '../errors/request-timeout-error.ts';
import { type Call, errorContext, failureMessage, remainingTime } from './call.ts';

/** A timeout that ran out. */
export interface SpentLimit {
  readonly limit: TimeoutLimit;
  /** What the option says. */
  readonly timeoutMs: number;
  /** Whether it was the key that did not come. */
  readonly isKeyPending?: boolean | undefined;
}

export function timeoutError(call: Call, spent: SpentLimit, requestId?: string): RequestTimeoutError {
  const { limit, timeoutMs, isKeyPending } = spent;
  const missing = isKeyPending ? 'the apiKey function returned no key' : 'no whole answer came';
  const option = limit === 'total' ? 'totalTimeout' : 'timeout';
  return new RequestTimeoutError(
    failureMessage(call, `${missing} within ${timeoutMs} ms`, `Raise ${option} if that is too short.`),
    { ...errorContext(call, requestId), limit, timeoutMs, cause: call.lastFailure },
  );
}

/** For what no timer can interrupt: parsing, validation, and a timer that fires too late itself. */
export function refuseLateAnswer(call: Call, requestId?: string): void {
  const { totalTimeout } = call.settings;
  if (totalTimeout === false || remainingTime(call) > 0) return;
  throw timeoutError(call, { limit: 'total', timeoutMs: totalTimeout }, requestId);
}
