import { parseDateTime } from '@memory-read/contract/date-time';
import { clockAt, instantsOf } from '../times/local-clock.ts';

/**
 * Formats an ISO 8601 date-time to the minute, in the local time zone. An invalid date-time is returned unchanged.
 *
 * In an hour that occurs twice, because the clock is set back, the offset follows: `2026-10-25 02:30+02:00`.
 */
export function formatDateTime(text: string): string {
  const instant = parseDateTime(text);
  if (instant === undefined) return text;
  const clock = clockAt(instant);
  const shown = new Date(clock).toISOString().replace('T', ' ').slice(0, -':00.000Z'.length);
  return instantsOf(clock).length > 1 ? shown + formatOffset(clock - instant) : shown;
}

function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
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
