/**
 * The rules by which memories are searched. They need no client.
 *
 * @packageDocumentation
 */

export { readTimeRange, type TimeLimits, type TimeOptions, type TimeRange } from './read-time-range.ts';
