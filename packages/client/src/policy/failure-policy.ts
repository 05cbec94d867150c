import { longestTimer } from '@memory-read/contract/event-loop';
import type { ConnectionFailure } from '../errors/errors.ts';
import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';

/** Longest `Retry-After` that a call or a download obeys, in milliseconds. */
export const LONGEST_CALL_PAUSE = 120_000;
/** Longest `Retry-After` that a wait or a watch obeys, in milliseconds. */
export const LONGEST_POLL_PAUSE = 3_600_000;
/** Attempts of a download in a row that receive no bytes. */
export const MAXIMUM_DOWNLOAD_FAILURES = 5;
/** Failures of a watch in a row after which it ends, although they are not transient and `onError` continues it. */
export const MAXIMUM_WATCH_FAILURES = 10;

const FIRST_BACKOFF = 300;
const LONGEST_BACKOFF = 8_000;
const LONGEST_SPREAD = 30_000;
const LONGEST_WATCH_PAUSE = 300_000;

/**
 * Returns whether the same request can succeed later, so that a job may try it again.
 *
 * Transient are rate limits, timeouts of requests, lost connections, bodies that are cut or not JSON, interrupted downloads, and the
 * statuses 408, 425, 429 and 5xx except 501 and 505. Every other value is not.
 *
 * The record that `toJSON()` returns gives the same answer as its error. If the error itself was posted between threads,
 * its status and its reason are lost. Then only rate limits and timeouts are transient, because nothing shows that the
 * others can succeed later. A job that repeats them could do so forever. Post `error.toJSON()` instead.
 *
 * @example
 * ```ts
 * const listed = await client.listMemories().catch((error: unknown) => {
 *   if (isTransient(error)) return undefined; // the next run of the job tries again
 *   throw error;
 * });
 * ```
 */
export function isTransient(error: unknown): boolean {
  try {
    return isMemoryApiError(error) && isTransientError(error);
  } catch {
    // Getters of a foreign record may throw anything.
    return false;
  }
}

function isTransientError(error: AnyMemoryApiError): boolean {
  switch (error.code) {
    case 'rate_limited':
    case 'timeout':
      return true;
    case 'server':
    case 'unexpected_response':
      return isTransientStatus(error.status);
    case 'invalid_response':
      return error.reason === 'not_json' || error.reason === 'cut_json';
    case 'connection':
      return isTransientFault(error);
    case 'media_download':
      return error.reason === 'interrupted';
    default:
      return false;
  }
}

/** Whether a server can respond with another status later. */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (isServerFault(status) && status !== 501 && status !== 505);
}

export function isServerFault(status: number): boolean {
  return status >= 500 && status <= 599;
}

/** Whether a status decides about an attempt even if the body was cut. */
export function countsWithoutBody(status: number): boolean {
  return isTransientStatus(status) || isServerFault(status);
}

/** Why a connection failed. */
export interface ConnectionFault {
  readonly reason: ConnectionFailure;
  /** Status with which a proxy refused the connection. */
  readonly proxyStatus?: number | undefined;
}

export function isTransientFault({ reason, proxyStatus = 0 }: ConnectionFault): boolean {
  return reason === 'unreachable' || reason === 'cut' || (reason === 'proxy' && isTransientStatus(proxyStatus));
}

/** Matches whole words only: messages also contain hosts and, in Deno, the whole URL. */
const certificatePattern = /(?:^|[\s(])certificate(?:'s)?[).:,;]*(?:\s|$)/i;

/** Matches the messages of Node.js, Bun and Deno. Those of Deno contain no status. */
const proxyPattern = /\bproxy (?:response|refused|(auth))\D*(\d{3})?|\bunsuccessful tunnel/i;

/** An error of a runtime. */
export interface RuntimeFault {
  readonly code?: string;
  readonly message: string;
}

/** Classifies the errors of a runtime, from the outermost one to its last cause. */
export function classifyFault(causes: readonly RuntimeFault[], isCut: boolean): ConnectionFault {
  const refusal = causes.map(({ message }) => proxyPattern.exec(message)).find(Boolean);
  if (refusal) return { reason: 'proxy', proxyStatus: Number(refusal[2] ?? (refusal[1] && 407)) || undefined };
  if (causes.some(({ code = '', message }) => code.includes('CERT') || certificatePattern.test(message)))
    return { reason: 'certificate' };
  if (causes.some(({ message }) => message.includes('--allow-net'))) return { reason: 'permission' };
  return { reason: isCut ? 'cut' : 'unreachable' };
}

const OTHER_CODES = '';

/** Faults of the addresses of one host, in the order in which a user can act on them. */
const actionable = [
  // The host answers: the port is wrong, or the server is down.
  'ECONNREFUSED',
  // Something ended the connection or forbids it, or the name is wrong.
  OTHER_CODES,
  // No answer arrives: a firewall drops the packets, or the address is wrong.
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  // This machine has no route, as for each IPv6 address where IPv6 is missing.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
];

/**
 * Returns the rank of the fault of one of several addresses. The lowest is the one that a user can act on first: a host
 * whose certificate is wrong has answered.
 */
export function rankFault(causes: readonly RuntimeFault[]): number {
  if (classifyFault(causes, false).reason !== 'unreachable') return -1;
  const code = causes.find((cause) => cause.code)?.code ?? OTHER_CODES;
  return actionable.indexOf(actionable.includes(code) ? code : OTHER_CODES);
}

/** Returns random milliseconds below 300, doubled with each failure in a row up to 8,000, and at most `longest`. */
export function backoff(random: () => number, failures: number, longest = LONGEST_BACKOFF): number {
  return random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1), longest);
}

/** Returns the milliseconds of a watch before it continues after failures in a row that are not transient. */
export function watchPause(interval: number, failures: number): number {
  return Math.min(Math.max(interval, LONGEST_WATCH_PAUSE), interval * 2 ** (failures - 1));
}

/**
 * Returns the longer of a pause and `Retry-After`, in milliseconds.
 *
 * `Retry-After` is extended at random, so that clients that were refused at the same time do not return together.
 *
 * @param longestSpread - maximum extension, if the time is limited.
 */
export function pauseFor(
  pause: number,
  retryAfter: number,
  random: () => number,
  longestSpread = LONGEST_SPREAD,
): number {
  const spread = random() * Math.min(retryAfter / 4, LONGEST_SPREAD, longestSpread);
  // A timer with a longer delay fires at once.
  return Math.min(Math.max(pause, retryAfter + spread), longestTimer);
}
