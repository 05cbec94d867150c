/**
 * The mock without MSW: for the `fetch` option of a client, routes of Playwright, and runtimes that MSW is not made for.
 *
 * @packageDocumentation
 */

// Create

export type { MemoryMockOptions } from '../mock-options.ts';
export { createMemoryMock } from './create-memory-mock.ts';
export type { FetchMemoryMock } from './fetch-memory-mock.ts';

// Control

export type { AccountControls, MockAccount } from '../accounts/account-controls.ts';
export type { MemoryControls, ProcessingOptions } from '../memories/memory-controls.ts';
export type { MemoryOverrides } from '../memories/memory-overrides.ts';
export type { MockClock } from '../mock-clock.ts';

// Simulate faults

export type { Fault, StatusFault } from '../faults/fault.ts';
export type { FaultControls, FaultMatch, ScheduledFault } from '../faults/fault-schedule.ts';

// Observe

export type { AuthScheme, RequestName, RequestRecord } from '../request-log/request-log.ts';
