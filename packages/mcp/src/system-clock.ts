/** The default clock. */
export const systemClock = { now: () => new Date() };
