/** The current time. Tests pass a clock of their own, so that they can move the time. */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}
