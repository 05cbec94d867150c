/** Local time of an instant in a time zone. */
export interface LocalTime {
  /** Day, as `YYYY-MM-DD`. */
  date: string;
  /** Time of day, as `HH:mm:ss`. */
  time: string;
  /** Difference from UTC, as `+HH:mm`. */
  offset: string;
}

/** Returns a function that converts milliseconds since 1970 to the local time of an IANA time zone. */
export function localTimeIn(timeZone: string): (instant: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  return (instant) => {
    const whole = Math.floor(instant / 1000) * 1000;
    // Early offsets have seconds, which ISO 8601 cannot express. The local time follows the rounded offset.
    const minutes = Math.round((readWallClock(format, whole) - whole) / 60_000);
    const local = new Date(whole + minutes * 60_000).toISOString();
    const end = local.indexOf('T');
    return { date: local.slice(0, end), time: local.slice(end + 1, end + 9), offset: formatOffset(minutes) };
  };
}

/** Returns the local time of the zone as if it were UTC. */
function readWallClock(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const wallClock = new Date(0);
  wallClock.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  wallClock.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return wallClock.getTime();
}

function formatOffset(minutes: number): string {
  const digits = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}
