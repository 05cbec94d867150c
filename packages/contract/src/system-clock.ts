/** The clock of the machine. Fake timers and spies on `Date.now` move it for all packages. */
export const systemClock = {
  /** Returns the present time. */
  now: (): Date => new Date(Date.now()),
};
