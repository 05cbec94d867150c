const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-]\d\d):?(\d\d)?)?$/;

/** Milliseconds since 1970 of an ISO 8601 date-time, undefined when it is none; without a zone it counts as UTC. */
export function toInstant(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? dateTime.exec(value) : null;
  if (parts === null) return undefined;
  const [, minutes, seconds = '00', fraction = '', , hours, offsetMinutes = '00'] = parts;
  const zone = hours === undefined ? 'Z' : `${hours}:${offsetMinutes}`;
  const instant = Date.parse(`${minutes}:${seconds}${zone}`);
  return Number.isNaN(instant) ? undefined : instant + Number(`0.${fraction || 0}`) * 1000;
}
