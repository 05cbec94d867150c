/** Milliseconds that `Retry-After` asks to wait; a date is measured by the server's own clock where it tells it. */
export function parseRetryAfter(headers: Headers, localDate: Date): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  return until && Math.max(0, until.getTime() - (parseServerDate(headers) ?? localDate).getTime());
}

/** The `Date` of a response. */
export function parseServerDate(headers: Headers): Date | undefined {
  return parseHttpDate(headers.get('date') ?? '');
}

/** `Date.parse` alone takes nearly any number for a date. */
function parseHttpDate(value: string): Date | undefined {
  const time = /\d\d:\d\d:\d\d GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
