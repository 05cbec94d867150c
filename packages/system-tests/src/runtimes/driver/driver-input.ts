import type { MemoryClient, MemoryClientOptions } from '@memory-read/client';
import type { Expectation } from '@memory-read/integration-tests/client/faults/fault';

/** The names of the forms of the client in `client-forms.mjs`. */
export const forms = ['class', 'functions'] as const;
export type ClientForm = (typeof forms)[number];

/** Creates a client in one of its forms. */
export type OpenClient = (options?: MemoryClientOptions) => { readonly client: object; readonly calls: MemoryCalls };
export type MemoryCalls = Pick<
  MemoryClient,
  'listMemories' | 'getMemory' | 'waitForMemory' | 'waitForMemories' | 'watchMemories' | 'mediaUrl' | 'openMedia'
>;

/** Input that a runtime needs to run the faults. */
export interface DriverInput {
  /** How the client is called. */
  readonly form: ClientForm;
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
