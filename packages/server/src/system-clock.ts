import type { Clock } from './ports/clock.ts';

/** The clock of the machine: the default of every option named `clock`. */
export const systemClock: Clock = { now: () => new Date() };
