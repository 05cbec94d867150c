import { systemClock } from '@memory-read/contract/date-time';
import type { Clock } from '@memory-read/server';
import { formatValue } from './checks/format-value.ts';
import { toInstant } from './instant.ts';

/**
 * Clock of a mock: the time of `Date.now()`, which the client reads too, and what `advance` and `set` changed.
 *
 * With the option `now`, it stands still until you move it. System time and fake timers do not affect it then.
 */
export interface MockClock extends Clock {
  /**
   * Advances the clock by this many milliseconds. `advance(61 * 60_000)` expires every media URL returned before.
   *
   * It advances the server only. To advance client and server together, use fake timers.
   *
   * @throws a {@link RangeError} if the number is negative or invalid, or the year exceeds 9999.
   */
  advance(milliseconds: number): void;
  /**
   * Sets the clock, forwards or backwards. A date-time without an offset is UTC.
   *
   * @throws a {@link RangeError} if the date is invalid, or not in the years 1970 to 9999.
   */
  set(date: Date | string): void;
}

/** `start` is the time at which the clock stands still; without it, the clock follows `Date.now()`. */
export function createMockClock(start: Date | string | undefined): MockClock & { reset(): void } {
  const startMs =
    start === undefined
      ? undefined
      : checkedInstant(start, (problem) => new RangeError(`Failed to create the mock: now is ${problem}`));
  const unmovedMs = () => startMs ?? systemClock.now().getTime();
  let movedMs = 0;
  return {
    now: () => new Date(unmovedMs() + movedMs),
    advance(milliseconds) {
      const isLength = typeof milliseconds === 'number' && milliseconds >= 0;
      if (!isLength) {
        throw advanceError(
          `milliseconds is ${formatValue(milliseconds)}, which is not a number of at least 0. Pass 0 or more.`,
        );
      }
      if (!isAnswerable(unmovedMs() + movedMs + milliseconds)) {
        throw advanceError(`${milliseconds} ms later, the year is after 9999. Pass fewer milliseconds.`);
      }
      movedMs += milliseconds;
    },
    set(date) {
      const instant = checkedInstant(date, (problem) => new RangeError(`Failed to set the clock: date is ${problem}`));
      movedMs = instant - unmovedMs();
    },
    reset() {
      movedMs = 0;
    },
  };
}

/** `createError` is given what follows the name of the option. */
function checkedInstant(date: Date | string, createError: (problem: string) => RangeError): number {
  const instant = toInstant(date);
  const shown = typeof date === 'string' ? JSON.stringify(date) : String(date);
  if (Number.isNaN(instant)) {
    const advice = 'Pass a Date or an ISO 8601 date-time such as 2026-03-01T12:00:00Z.';
    throw createError(`${shown}, which is not a valid date. ${advice}`);
  }
  if (!isAnswerable(instant)) {
    throw createError(`${shown}, which is not in the years 1970 to 9999. Pass a date of these years.`);
  }
  return instant;
}

/** Signed URLs count seconds since 1970, and a date-time has a year of four digits. */
function isAnswerable(instant: number): boolean {
  return instant >= 0 && instant <= LAST_MS;
}

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function advanceError(problem: string): RangeError {
  return new RangeError(`Failed to advance the clock: ${problem}`);
}
