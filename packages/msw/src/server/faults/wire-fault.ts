import type { MediaKind } from '@memory-read/contract';
import type { Fault } from '../../faults/fault.ts';
import type { FaultMatch, ScheduledFault } from '../../faults/fault-schedule.ts';
import type { WireOperation } from '../wire-log/wire-request.ts';

/** A failure of a request to a mock server: one that every mock can play, or one of the wire. */
export type ServerFault = Fault | WireFault;

/** A failure that only a mock server can play, because it needs a connection. */
export type WireFault =
  | StopFault
  | { bytesPerSecond: number }
  | { redirect: number; to?: 'elsewhere' | 'self' | (string & {}) | undefined }
  | {
      respond: {
        status?: number | undefined;
        headers?: Readonly<Record<string, string>> | undefined;
        body?: string | undefined;
      };
    }
  | { fields: Readonly<Record<string, unknown>> }
  | { steps: readonly Step[] }
  | 'garbage'
  | 'changed-object'
  | 'foreign-range'
  | 'wrong-range';

/** A response that stops at a place. */
export interface StopFault {
  stop: 'before-head' | 'in-head' | 'after-head' | { bytes: number } | { share: number };
  by: 'reset' | 'end' | 'stall';
  framing?: 'length' | 'chunked' | 'close' | 'exact' | undefined;
}

/** A step on a connection. Text is sent unchanged, one byte for each character. */
export type Step =
  | string
  | 'stall'
  | 'end'
  | 'reset'
  | { readonly wait: number }
  | { readonly drip: string; readonly every: number }
  | { readonly flood: string }
  | { readonly gzip: string; readonly times: number };

/** Conditions for a fault of a mock server. A request must meet all of them. */
export interface ServerFaultMatch extends Omit<FaultMatch, 'operation'> {
  /** Without it, requests to the API. `'connection'`: a new connection before a byte of it is read. */
  operation?: WireOperation | 'connection' | undefined;
  /** Kind of the media, with the operation `'media'`. */
  kind?: MediaKind | undefined;
}

/** A fault that was scheduled on a mock server. */
export interface ScheduledServerFault extends ScheduledFault {
  readonly id: string;
}

/** A fault as it stands in the schedule. */
export interface ServerFaultState {
  id: string;
  fault: ServerFault;
  match: ServerFaultMatch;
  /** Number of requests that the fault will still affect; null for all. */
  left: number | null;
  played: number;
}

/** Schedules the faults of a mock server. */
export interface ServerFaultControls {
  next(
    fault: ServerFault,
    options?: { times?: number | undefined; match?: ServerFaultMatch | undefined },
  ): ScheduledServerFault;
  always(fault: ServerFault, options?: { match?: ServerFaultMatch | undefined }): ScheduledServerFault;
  /** Returns the faults that can still be played. */
  all(): readonly ServerFaultState[];
  /** Removes a fault. Returns false if it is unknown or used up. */
  cancel(id: string): boolean;
  clear(): void;
}
