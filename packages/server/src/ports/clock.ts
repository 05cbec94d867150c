/** What time it is. Passed in wherever time matters, so that an hour can pass in a test. */
export interface Clock {
  /** The time at this moment. */
  now(): Date;
}
