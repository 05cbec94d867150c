import { headerOf } from './header-of.ts';

/** Returns the pause that a server requested with an error, in milliseconds; 0 without one. */
export function retryAfterOf(error: object | undefined): number {
  return (error as { readonly retryAfterMs?: number } | undefined)?.retryAfterMs ?? 0;
}

/**
 * Returns the milliseconds of `Retry-After`. A date is compared with the server's clock if the response has a `Date`. Of
 * several headers, which arrive as one value with commas, the longest readable one counts.
 */
export function parseRetryAfter(headers: Headers, localDate: Date): number | undefined {
  // A date contains a comma after its weekday.
  const values = headerOf(headers, 'retry-after')?.match(/[A-Z][a-z]+, \d\d[ -][^,]+|[^,]+/g) ?? [];
  const pauses = values.flatMap((one) => {
    const value = one.trim();
    if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
    const until = parseHttpDate(value);
    return until ? Math.max(0, until.getTime() - (parseServerDate(headers) ?? localDate).getTime()) : [];
  });
  return pauses.length > 0 ? Math.max(...pauses) : undefined;
}

/** Returns the `Date` of a response. */
export function parseServerDate(headers: Headers): Date | undefined {
  return parseHttpDate(headerOf(headers, 'date') ?? '');
}

/** The format of C's `asctime`, which has no time zone and means GMT. */
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Parses the three date formats of HTTP. `Date.parse` alone accepts nearly any number. */
function parseHttpDate(value: string): Date | undefined {
  const text = value.replace(asctimeDate, '$& GMT');
  const time = /\d\d:\d\d:\d\d (?:\d{4} )?GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
