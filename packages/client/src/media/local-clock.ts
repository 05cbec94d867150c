/** The clock by which the expiry of a URL is judged, unless a caller passes a time. */
export const localClock = { now: () => new Date() };
