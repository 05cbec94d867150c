import type * as client from '@memory-read/client';

/** What the client's package exports. */
export type Client = typeof client;

/** What a runtime has to be told to run the cases. */
export interface DriverInput {
  readonly apiKey: string;
  /** Where each fault has a path of its own. */
  readonly origin: string;
  /** Where nothing listens. */
  readonly refused: string;
  /** Where a certificate is shown that nobody trusts. */
  readonly untrusted: string;
}

/** What came of one case. */
export interface CaseResult {
  readonly fault: string;
  readonly outcome: string;
  readonly attempts: number | undefined;
  /** The codes that the runtime gave the fault, to be looked at; runtimes differ in them. */
  readonly cause?: string | undefined;
}

/** All that a runtime reports. */
export interface DriverReport {
  /** What the runtime calls itself. */
  readonly runtime: string;
  readonly cases: readonly CaseResult[];
  /** Of every error, the code that it was to have, its own and that of its cause; null where there is none. */
  readonly errors: readonly (readonly (string | null | undefined)[])[];
  readonly smoke: Readonly<Record<string, unknown>>;
  /** Where a secret was found, never the secret itself. */
  readonly leaks: readonly string[];
  /** How many values were searched for secrets. */
  readonly searched: number;
}
