/**
 * Returns the milliseconds of a `Retry-After`; undefined if it cannot be read.
 *
 * Of several headers, which arrive as one value with commas, the longest readable one counts.
 */
export function parsePause(retryAfter: string, now: Date): number | undefined {
  // A date contains a comma after its weekday.
  const values = retryAfter.match(/[A-Z][a-z]+, \d\d[ -][^,]+|[^,]+/g) ?? [];
  const pauses = values.flatMap((one) => {
    const value = one.trim();
    if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
    const until = parseHttpDate(value);
    return until ? Math.max(0, until.getTime() - now.getTime()) : [];
  });
  return pauses.length > 0 ? Math.max(...pauses) : undefined;
}

/** The format of C's `asctime`, which has no time zone and means GMT. */
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Parses the three date formats of HTTP; undefined for another text. */
export function parseHttpDate(value: string): Date | undefined {
  const text = value.replace(asctimeDate, '$& GMT');
  // `Date.parse` alone accepts nearly any number.
  const time = /\d\d:\d\d:\d\d (?:\d{4} )?GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
