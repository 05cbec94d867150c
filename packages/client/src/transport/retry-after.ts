import { parseHttpDate, parsePause } from '@memory-read/contract/date-time';
import { headerOf } from './header-of.ts';

/** Returns the pause that a server requested with an error, in milliseconds; 0 without one. */
export function retryAfterOf(error: object | undefined): number {
  return (error as { readonly retryAfterMs?: number } | undefined)?.retryAfterMs ?? 0;
}

/** Returns the milliseconds of `Retry-After`. A date is compared with the server's clock if the response has a `Date`. */
export function parseRetryAfter(headers: Headers, localDate: Date): number | undefined {
  return parsePause(headerOf(headers, 'retry-after') ?? '', parseServerDate(headers) ?? localDate);
}

/** Returns the `Date` of a response. */
export function parseServerDate(headers: Headers): Date | undefined {
  return parseHttpDate(headerOf(headers, 'date') ?? '');
}
