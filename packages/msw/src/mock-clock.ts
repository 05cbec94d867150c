import type { Clock } from '@memory-read/server';
import { formatValue } from './checks/format-value.ts';
import { toInstant } from './instant.ts';

/** Clock of a mock. It stands still until you move it. System time and fake timers do not affect it. */
export interface MockClock extends Clock {
  /**
   * Advances the clock by this many milliseconds. `advance(61 * 60_000)` expires every media URL returned before.
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

/** `onMove` is called after each move. */
export function createMockClock(start: Date | string, onMove: () => void): MockClock & { reset(): void } {
  const startMs = checkedInstant(start);
  let nowMs = startMs;
  return {
    now: () => new Date(nowMs),
    advance(milliseconds) {
      const isLength = typeof milliseconds === 'number' && milliseconds >= 0;
      if (!isLength) throw clockError(`${formatValue(milliseconds)} is no number of milliseconds from 0 on`);
      const later = new Date(nowMs + milliseconds);
      if (!isAnswerable(later.getTime())) throw clockError(`${milliseconds} milliseconds later the year 9999 is over`);
      nowMs = later.getTime();
      onMove();
    },
    set(date) {
      nowMs = checkedInstant(date);
      onMove();
    },
    reset() {
      nowMs = startMs;
    },
  };
}

function checkedInstant(date: Date | string): number {
  const instant = toInstant(date);
  if (Number.isNaN(instant)) throw clockError(`${String(date)} is no date`);
  if (!isAnswerable(instant)) throw clockError(`${String(date)} is not in the years 1970 to 9999`);
  return instant;
}

/** Signed URLs count seconds since 1970, and a date-time has a year of four digits. */
function isAnswerable(instant: number): boolean {
  return instant >= 0 && instant <= LAST_MS;
}

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function clockError(reason: string): RangeError {
  return new RangeError(
    `Failed to set the clock of the mock: because ${reason}. Pass a Date, or a text such as 2026-03-01T12:00:00Z; advance takes milliseconds.`,
  );
}
