const date = /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/;
const time = /([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)?/;
const offset = /Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?/;
const isoDateTime = new RegExp(`^${date.source}[T ]${time.source}(?:${offset.source})?$`, 'i');

/**
 * The instant in milliseconds since 1970, or `undefined` where the text is no ISO 8601 date-time.
 *
 * Any offset will do; none means UTC, where `Date` would take the zone of the machine. Digits beyond milliseconds are
 * cut off. The same on every runtime: `Date` itself reads 30 February in one and not in another.
 */
export function parseDateTime(text: string): number | undefined {
  const match = isoDateTime.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = 0, fraction = '', sign = '+', offsetHour = 0, offsetMinute = 0] =
    match;
  if (hour === '24' && Number(minute) + Number(second) + Number(fraction) > 0) return undefined;
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  const offsetMinutes = Number(`${sign}1`) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  return midnight + minutes * 60_000 + Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}
