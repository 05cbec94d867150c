/** Milliseconds that `Retry-After` asks to wait; a date is measured by the server's own clock where it tells it. */
export function parseRetryAfter(headers: Headers, localDate: Date): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (parseServerDate(headers) ?? localDate).getTime());
}

/** The `Date` of a response. */
export function parseServerDate(headers: Headers): Date | undefined {
  const date = new Date(headers.get('date') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
