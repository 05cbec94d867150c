/**
 * A mock of the Memory Read API for tests and stories: the real server in MSW, with a clock, faults and media that play.
 *
 * @packageDocumentation
 */

// Create

export { createMemoryMock, type MemoryMock } from './create-memory-mock.ts';
export type { FetchMemoryMock } from './fetch/fetch-memory-mock.ts';
export type { MemoryMockOptions } from './mock-options.ts';

// Control

export type { AccountControls, MockAccount } from './accounts/account-controls.ts';
export type { MemoryControls, ProcessingOptions } from './memories/memory-controls.ts';
export type { MemoryOverrides } from './memories/memory-overrides.ts';
export type { MockClock } from './mock-clock.ts';

// Simulate faults

export type { Fault, StatusFault } from './faults/fault.ts';
export type { FaultControls, FaultMatch, ScheduledFault } from './faults/fault-schedule.ts';

// Observe

export type { AuthScheme, RequestName, RequestRecord } from './request-log/request-log.ts';
