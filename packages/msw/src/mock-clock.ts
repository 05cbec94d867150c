import type { Clock } from '@memory-read/server';
import { formatValue } from './checks/format-value.ts';
import { toInstant } from './instant.ts';

/** The time of a mock. It stands still until it is moved, whatever the system's clock and fake timers do. */
export interface MockClock extends Clock {
  /**
   * Moves the clock on by this many milliseconds: `advance(61 * 60_000)` outlives every media URL handed out before.
   *
   * @throws RangeError when they are no number from 0 on, or lead beyond the year 9999.
   */
  advance(milliseconds: number): void;
  /**
   * Moves the clock to this instant, also back.
   *
   * @throws RangeError when it is neither a date nor an ISO 8601 date-time, or not in the years 1970 to 9999.
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
