import type { AnyMemoryApiError } from '@memory-read/client';
import type { Step } from '@memory-read/msw/server';

/** The certificate of an https server. */
export type CertificateKind = 'good' | 'untrusted' | 'wrong-host' | 'expired';

/** The errors of a single call. The other errors belong to waits and downloads. */
type CallFailure = Exclude<
  AnyMemoryApiError['code'],
  'processing_timeout' | 'media_unavailable' | 'media_download' | 'media_playback'
>;

/** How the last call of a fault ends. */
export interface Expectation {
  readonly ends: 'answer' | 'abort' | CallFailure;
  /** Attempts of all calls together. */
  readonly attempts: number;
  /** Properties of the error, or some of them. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** A text in its message. */
  readonly says?: string | undefined;
  /** The value that the call resolves with. */
  readonly value?: unknown;
  /** Maximum milliseconds, from the abort if there is one. Default: 5,000, which only a hanging call exceeds. */
  readonly within?: number;
}

/** A fault as data that every runtime can load. */
export interface Fault {
  /** A phrase that describes and identifies the fault. */
  readonly name: string;
  /** The scheme of the address (default: http), or an address at which no fault is played. */
  readonly place?: { readonly address?: string; readonly scheme?: 'https'; readonly certificate?: CertificateKind };
  /** Steps when a connection is opened, whatever is requested. */
  readonly onConnect?: readonly Step[];
  /** The steps for each request, in the order of arrival; the last ones repeat. */
  readonly answers?: readonly (readonly Step[])[];
  /** The method and the number of sequential calls. Default: one call of `listMemories`. */
  readonly call?: 'getMemory';
  readonly calls?: number;
  /** Durations are milliseconds. */
  readonly options?: {
    readonly timeout?: number | false;
    readonly totalTimeout?: number;
    readonly retries?: number;
    readonly validation?: 'skip';
  };
  /** When the caller aborts: at an event, or some milliseconds after it. */
  readonly abort?: { readonly at: 'start' | 'request' | 'response' | 'retry'; readonly after?: number };
  /**
   * Whether the first attempt receives a response that was requested before the call. The response then arrives before a
   * short timeout, even on a busy machine.
   */
  readonly isAhead?: true;
  readonly expected: Expectation;
  /** Whether the fault transfers hundreds of megabytes. */
  readonly isHeavy?: true;
}

export interface FaultGroup {
  readonly title: string;
  /** Whether the results are those of Node's fetch. Other runtimes accept more or less. */
  readonly isNodeOnly?: true;
  readonly faults: readonly Fault[];
}

/** Returns a fault with the same answer for each attempt. */
export function fault(
  name: string,
  answer: Step | readonly Step[],
  expected: Expectation,
  more: Partial<Fault> = {},
): Fault {
  return { name, answers: [[answer].flat()], expected, ...more };
}

/** Returns the expectation of an ending after a number of attempts. */
export function ends(how: Expectation['ends'], attempts: number, more: Partial<Expectation> = {}): Expectation {
  return { ends: how, attempts, ...more };
}

/** Returns the expectation of an empty list. */
export function emptyAnswer(attempts = 1): Expectation {
  return ends('answer', attempts, { value: [] });
}
