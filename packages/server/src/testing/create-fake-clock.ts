import type { Clock } from '../ports/clock.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves the clock forward by a number of milliseconds. */
  advance(milliseconds: number): void;
  /** Sets the clock to a time. */
  set(date: Date | string | number): void;
}

/**
 * Creates a clock for tests that stands at `start`. `clock.advance(3_600_000)` moves it by one hour.
 *
 * @throws RangeError if the time is not a valid date.
 *
 * @example
 * ```ts
 * const clock = createFakeClock('2026-01-01T12:00:00Z');
 * await store.putApiKey({ keyId, keyHash, userId: 'user_1', expiresAt: new Date('2026-01-01T13:00:00Z') });
 * clock.advance(3_600_000);
 * console.log(await apiKeyAuthenticator(store, { clock })(key)); // undefined: the key has expired
 * ```
 */
export function createFakeClock(start: Date | string | number): FakeClock {
  let current = toTime(start);
  return {
    now: () => new Date(current),
    advance(milliseconds) {
      current = toTime(current + milliseconds);
    },
    set(date) {
      current = toTime(date);
    },
  };
}

function toTime(date: Date | string | number): number {
  // The constructor of Date takes null, booleans and lists too.
  const isTime = ['string', 'number'].includes(typeof date) || date instanceof Date;
  const time = isTime ? new Date(date).getTime() : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new RangeError(`Failed to set the clock: ${String(date)} is not a date. Pass a Date or an ISO 8601 string.`);
}
