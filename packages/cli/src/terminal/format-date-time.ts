import { parseDateTime } from '@memory-read/contract/date-time';

/** Formats an ISO 8601 date-time to the minute, in the local time zone. An invalid date-time is returned unchanged. */
export function formatDateTime(text: string): string {
  const instant = parseDateTime(text);
  if (instant === undefined) return text;
  const date = new Date(instant);
  const [year, ...rest] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const day = [String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-');
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Formats a length, such as `1:02:03` or `0:07`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const end = twoDigits(whole % 60);
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${twoDigits(minutes)}:${end}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
