/**
 * How long loops and waiting calls share the event loop. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */
export { inParallel } from './in-parallel.ts';
export { longestTimer } from './longest-timer.ts';
export { quietly } from './quietly.ts';
export { unlessAborted } from './unless-aborted.ts';
export { yieldToEventLoop } from './yield-to-event-loop.ts';
