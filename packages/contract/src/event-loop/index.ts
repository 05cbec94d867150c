/**
 * How a long loop lets the event loop turn. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */
export { yieldToEventLoop } from './yield-to-event-loop.ts';
