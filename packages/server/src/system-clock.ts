import type { Clock } from './ports/clock.ts';

/** The time of the machine: what every option named `clock` is when it is left out. */
export const systemClock: Clock = { now: () => new Date() };
