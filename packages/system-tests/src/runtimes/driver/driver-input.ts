import type * as client from '@memory-read/client';
import type { Expectation } from '../../client/faults/fault.ts';

/** What the client's package exports. */
export type Client = typeof client;

/** Input that a runtime needs to run the faults. */
export interface DriverInput {
  /** The base URL of each, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What the runtime makes of a fault in place of what the catalogue expects. */
  readonly differences: Readonly<Record<string, Partial<Expectation>>>;
}

/** What came of one fault. */
export interface FaultReport {
  readonly ends: string;
  readonly attempts: number;
  readonly violations: readonly string[];
  /** The codes that the runtime gave the fault, to be looked at; runtimes differ in them. */
  readonly cause: string | undefined;
}

/** All that a runtime reports. */
export interface DriverReport {
  /** What the runtime calls itself. */
  readonly runtime: string;
  /** By the name of the fault. */
  readonly faults: Readonly<Record<string, FaultReport>>;
  /** Expected code, actual code and code of the cause for every error. A missing one is null. */
  readonly errors: readonly (readonly (string | null | undefined)[])[];
  readonly smoke: Readonly<Record<string, unknown>>;
  /** Where a secret was found, never the secret itself. */
  readonly leaks: readonly string[];
  /** How many values were searched for secrets. */
  readonly searched: number;
}
