/** Longest time in which the offset of a zone is assumed to change at most once. */
const dayMs = 86_400_000;

/** Returns the local time of an instant, as the instant at which UTC has the same time. */
export function clockAt(instant: number): number {
  const local = new Date(instant);
  const clock = new Date(0);
  clock.setUTCFullYear(local.getFullYear(), local.getMonth(), local.getDate());
  clock.setUTCHours(local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
  return clock.getTime();
}

/** Returns the instants at which a local clock shows a time: one, two if the clock is set back, none if it skips the time. */
export function instantsOf(clock: number): number[] {
  const instants = new Set(offsetsAround(clock).map((offset) => clock - offset));
  return [...instants].filter((instant) => clockAt(instant) === clock).sort((one, other) => one - other);
}

/**
 * Returns the instant at which a local clock shows a time.
 *
 * If the time occurs twice, `choice` selects one. If the clock skips the time, it is moved forward by the skip.
 */
export function instantOf(clock: number, choice: 'first' | 'last'): number {
  const instants = instantsOf(clock);
  const [before = 0] = offsetsAround(clock);
  return instants.at(choice === 'first' ? 0 : -1) ?? clock - before;
}

/** Returns the first instant at which a local clock shows a time or a later one, such as after a skipped midnight. */
export function firstInstantFrom(clock: number): number {
  const [instant] = instantsOf(clock);
  if (instant !== undefined) return instant;
  let before = clock - 2 * dayMs;
  let from = clock + 2 * dayMs;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (clockAt(middle) >= clock) from = middle;
    else before = middle;
  }
  return from;
}

/** Returns the offsets from UTC a day before and a day after a time. No offset is longer than a day. */
function offsetsAround(clock: number): number[] {
  return [clock - dayMs, clock + dayMs].map((instant) => clockAt(instant) - instant);
}
