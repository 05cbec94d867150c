/**
 * The mock as an HTTP server for every language, with spaces, faults of the wire and a control API. It needs Node, not
 * MSW.
 *
 * @packageDocumentation
 */

// Start

export type { MockServer, MockServerOptions, MockSpace, MockSpaceOptions } from './mock-server.ts';
export { startMockServer } from './start-mock-server.ts';

// Simulate faults

export type {
  ScheduledServerFault,
  ServerFault,
  ServerFaultControls,
  ServerFaultMatch,
  ServerFaultState,
  Step,
  StopFault,
  WireFault,
} from './faults/wire-fault.ts';

// Observe

export type { WireOperation } from './wire-log/wire-operation.ts';
export type { WireRequest } from './wire-log/wire-request.ts';
