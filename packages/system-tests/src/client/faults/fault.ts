import type { AnyMemoryApiError } from '@memory-read/client';

/**
 * What the fault server does next on a connection; text is sent as it is, one byte a character.
 *
 * `{origin}` and `{other}` in a text become the server's own address and that of a second server.
 */
export type Step =
  | string
  | 'stall' // Keeps the connection open and says nothing more.
  | 'end' // Closes it in order.
  | 'reset' // Breaks it off.
  | { readonly wait: number }
  | { readonly drip: string; readonly every: number }
  | { readonly flood: string }
  /** Some text so many times over, compressed. */
  | { readonly gzip: string; readonly times: number };

/** Which certificate an https server has; without one it speaks no TLS at all. */
export type CertificateKind = 'good' | 'untrusted' | 'wrong-host' | 'expired';

/** What a single call can fail with; the others belong to waits and downloads. */
type CallFailure = Exclude<AnyMemoryApiError['code'], 'processing_timeout' | 'media_unavailable' | 'media_download'>;

/** How the last call of a fault ends. */
export interface Expectation {
  readonly ends: 'answer' | 'abort' | CallFailure;
  /** Attempts of all calls together. */
  readonly attempts: number;
  /** What the error has, or a part of it. */
  readonly error?: Readonly<Record<string, unknown>>;
  /** What its message contains. */
  readonly says?: string | undefined;
  /** The answer. */
  readonly value?: unknown;
  /** Milliseconds, from the abort where there is one; 5,000 where absent. Only what hangs is meant to exceed it. */
  readonly within?: number;
}

/** One thing that can go wrong, as data that every runtime can load. */
export interface Fault {
  /** What happens, as one phrase; its name everywhere. */
  readonly name: string;
  /** Where it is met: on http unless it says otherwise, or at an address where there is no server of ours. */
  readonly place?: { readonly address?: string; readonly scheme?: 'https'; readonly certificate?: CertificateKind };
  /** What happens as soon as a connection is there, whatever is requested. */
  readonly onConnect?: readonly Step[];
  /** What each request is answered with, in the order of their arrival; the last one repeats. */
  readonly answers?: readonly (readonly Step[])[];
  /** Which method is called, and how often, one call after the other; `listMemories`, once. */
  readonly call?: 'getMemory';
  readonly calls?: number;
  /** Durations are milliseconds. */
  readonly options?: { readonly timeout?: number | false; readonly totalTimeout?: number; readonly retries?: number };
  /** When the caller aborts: at a moment, or milliseconds after it. */
  readonly abort?: { readonly at: 'start' | 'request' | 'response' | 'retry'; readonly after?: number };
  /**
   * Which attempt is given a response that was asked for before the call, so that the first of `answers` is its: what has
   * to arrive before a short timeout is there, however busy the machine.
   */
  readonly ahead?: number;
  readonly expected: Expectation;
  /** Moves hundreds of megabytes. */
  readonly isHeavy?: true;
}

export interface FaultGroup {
  readonly title: string;
  /** Expects what the fetch of Node makes of it; that of another runtime may take less or more. */
  readonly isNodeOnly?: true;
  readonly faults: readonly Fault[];
}

/** A fault of one answer, which each attempt gets. */
export function fault(
  name: string,
  answer: Step | readonly Step[],
  expected: Expectation,
  more: Partial<Fault> = {},
): Fault {
  return { name, answers: [[answer].flat()], expected, ...more };
}

/** The expectation that a call ends so, after this many attempts. */
export function ends(how: Expectation['ends'], attempts: number, more: Partial<Expectation> = {}): Expectation {
  return { ends: how, attempts, ...more };
}

/** The expectation of an empty list. */
export function emptyAnswer(attempts = 1): Expectation {
  return ends('answer', attempts, { value: [] });
}
