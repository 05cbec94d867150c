import { parseDateTime } from '@memory-read/contract/date-time';
import { systemClock } from '../times/system-clock.ts';

/**
 * Formats an ISO 8601 date-time to the minute, in the local time zone. An invalid date-time is returned unchanged.
 *
 * In an hour that occurs twice, because the clock is set back, the offset follows: `2026-10-25 02:30+02:00`.
 */
export function formatDateTime(text: string): string {
  const instant = parseDateTime(text);
  return instant === undefined ? text : systemClock().clock.format(instant);
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
