import type { DeliveryAction } from './delivery-error.ts';
import type { DeliveryRow, Sink } from './sink-rows.ts';

/** Longest time that a receiver can ask to wait, and farthest time of a stored next try, in milliseconds. */
export const DAY = 86_400_000;

/** A try that failed. */
export interface Failure {
  action: DeliveryAction;
  retryAfter: number | undefined;
  error: string;
}

/** Pauses and tries, as the options of `deliver` say. */
export interface RetrySettings {
  maxTries: number;
  firstRetry: number;
  longestRetry: number;
}

/** Returns a stored time of a next try. One that is more than a day ahead has come: the clock was set back. */
export function storedTime(nextTry: number, now: number): number {
  return nextTry > now + DAY ? now : nextTry;
}

/** Returns a sink whose last try was accepted. */
export function afterAccepted(sink: Sink, now: number): Sink {
  const { accepted } = sink;
  return { ...sink, accepted: accepted + 1, acceptedAt: now, failures: 0, failedPosition: null, nextTry: 0 };
}

/** Returns a sink and the row of its event after a try that failed. */
export function afterFailure(
  { sink, row, othersFail, now }: { sink: Sink; row: DeliveryRow; othersFail: boolean; now: number },
  failure: Failure,
  settings: RetrySettings,
): { sink: Sink; row: DeliveryRow } {
  const { maxTries, longestRetry } = settings;
  const isAtFault = showsFault({ sink, row, othersFail }, failure.action);
  const attempts = row.attempts + 1;
  const counted = row.counted + Number(isAtFault);
  const failures = sink.failures + 1;
  const pause = (tries: number, longest: number) => pauseOf(tries, longest, failure.retryAfter, settings);
  return {
    // Parked by its receiver, which can accept the next event at once.
    sink:
      failure.action === 'park'
        ? sink
        : {
            ...sink,
            failures,
            failedPosition: row.position,
            nextTry: now + pause(failures, Math.ceil(longestRetry / 5)),
            isStopped: failure.action === 'stop',
          },
    row: {
      ...row,
      attempts,
      counted,
      isAtFault,
      isParked: failure.action === 'park' || counted >= maxTries,
      firstAccepted: row.attempts === 0 ? sink.accepted : row.firstAccepted,
      lastAccepted: sink.accepted,
      failedAt: now,
      nextTry: now + pause(attempts, longestRetry),
      error: failure.error,
    },
  };
}

/**
 * Returns whether a failed try shows that the event is at fault, and not its receiver. If the receiver responded, it must have
 * accepted another event since the first failed try, and refused none since then that was not at fault. Without a response,
 * it must have accepted one since the last try.
 */
function showsFault(
  { sink, row, othersFail }: { sink: Sink; row: DeliveryRow; othersFail: boolean },
  action: DeliveryAction,
): boolean {
  if (row.attempts === 0) return false;
  if (action === 'retry') return sink.accepted > row.firstAccepted && !othersFail;
  return action === 'unavailable' && sink.accepted > row.lastAccepted;
}

function pauseOf(
  tries: number,
  longest: number,
  retryAfter: number | undefined,
  { firstRetry }: RetrySettings,
): number {
  // A receiver that requests a pause of 0 would otherwise be called without an end.
  if (retryAfter !== undefined) return Math.min(Math.max(retryAfter, firstRetry), DAY);
  return Math.min(firstRetry * 2 ** (tries - 1), longest);
}
