/** The clock of the machine. Fake timers and spies on `Date.now` move it for all packages. */
export const systemClock = {
  /** Returns the present time. */
  now: (): Date => new Date(Date.now()),
};

/** Longest delay of a timer, in milliseconds. With a longer one, it would expire at once. */
export const longestTimer = 2_147_483_647;
