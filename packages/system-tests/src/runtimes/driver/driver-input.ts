import type { Expectation } from '@memory-read/integration-tests/client/faults/fault';

/** Input that a runtime needs to run the faults. */
export interface DriverInput {
  /** Base URL of each fault, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Expectations of this runtime that differ from the catalogue. */
  readonly differences: Readonly<Record<string, Partial<Expectation>>>;
}

/** Result of one fault. */
export interface FaultReport {
  readonly attempts: number;
  readonly violations: readonly string[];
}

/** The complete report of a runtime. */
export interface DriverReport {
  /** Name that the runtime reports. */
  readonly runtime: string;
  /** Results by the name of the fault. */
  readonly faults: Readonly<Record<string, FaultReport>>;
  /** Expected code, actual code and code of the cause for every error. A missing code is null. */
  readonly errors: readonly (readonly (string | null | undefined)[])[];
  readonly smoke: Readonly<Record<string, unknown>>;
  /** Places in which a secret was found, never the secret itself. */
  readonly leaks: readonly string[];
  /** Number of values that were searched for secrets. */
  readonly searched: number;
}
