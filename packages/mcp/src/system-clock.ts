/** The clock that is used where none is passed in. */
export const systemClock = { now: () => new Date() };
