const isoDateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/;
// The days that each month has: Date need not be asked, which takes a while for the segments of many transcripts.
const normalDateTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const normalizedLength = 'YYYY-MM-DDTHH:mm:ss.sssZ'.length;

/**
 * The same instant as `YYYY-MM-DDTHH:mm:ss.sssZ`, or `undefined` where that cannot be written.
 *
 * A date-time without an offset is UTC, digits beyond milliseconds are cut off, and an offset may lead out of the
 * years 0000 to 9999. Such texts have one length, so they sort as their instants do.
 */
export function normalizeDateTime(dateTime: string): string | undefined {
  if (normalDateTime.test(dateTime)) return dateTime;
  const [, minute, second = '00', fraction = '', offset = 'Z'] = isoDateTime.exec(dateTime) ?? [];
  if (minute === undefined) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const date = new Date(`${minute}:${second}.${milliseconds}${withMinutes(offset)}`);
  if (Number.isNaN(date.getTime())) return undefined;
  const normalized = date.toISOString();
  return normalized.length === normalizedLength ? normalized : undefined;
}

/** `Date` reads no offset but `Z` and `+hh:mm`. */
function withMinutes(offset: string): string {
  if (offset === 'Z') return offset;
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
}

/** Whether normalising cuts off digits that say something. */
export function losesDigits(dateTime: string): boolean {
  const fraction = isoDateTime.exec(dateTime)?.[3] ?? '';
  return /[1-9]/.test(fraction.slice(3));
}
