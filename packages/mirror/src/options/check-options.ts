import type { MediaKind } from '@memory-read/client';
import { readTimeRange, type TimeLimits, type TimeRange } from '@memory-read/client/search';
import { findTimeZone } from '@memory-read/contract/date-time';
import { quietly } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import { refuseNumber, refuseOptions } from '@memory-read/contract/options';
import { MirrorError } from '../errors/mirror-error.ts';

/** Options that limit a read to memories that start in a range. */
export interface RangeOptions {
  /** Earliest start of a memory. A day, a month or a year means its beginning. Default: no limit. */
  since?: Date | string | undefined;
  /** Time before which a memory must start. A day, a month or a year is included. Default: no limit. */
  until?: Date | string | undefined;
  /** IANA time zone of texts without an offset, such as `Europe/Berlin`. Default: `UTC`. */
  timeZone?: string | undefined;
}

/** Returns the error for an invalid option. The message does not contain the value, which could be a key or a text. */
export function invalidOption(action: string, reason: string, advice: string): MirrorError {
  return new MirrorError('invalid_option', `Failed to ${action}: ${reason}. ${advice}.`);
}

/** @throws {@link MirrorError} with the code `invalid_option` if an option has none of these names. */
export function checkOptions(action: string, options: unknown, names: readonly string[]): void {
  const refused = refuseOptions(options, names);
  if (refused) throw invalidOption(action, refused.reason, refused.advice);
}

/** @throws {@link MirrorError} with the code `invalid_option` if the value is not a text. */
export function checkText(action: string, name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw invalidOption(action, `${name} is not a string`, 'Pass a string');
}

/** Returns whether an option is set. The default is `false`. */
export function readFlag(action: string, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw invalidOption(action, `${name} is not a boolean`, 'Pass true or false');
}

/** Returns an option that is called with events. An error that it throws must not end the work. */
export function readCallback<Event>(
  action: string,
  name: string,
  callback: ((event: Event) => void) | undefined,
): (event: Event) => void {
  if (callback !== undefined && typeof callback !== 'function') {
    throw invalidOption(action, `${name} is not a function`, 'Pass a function, or nothing');
  }
  return (event) => quietly(() => callback?.(event));
}

/** Returns an option that is a signal. */
export function readSignal(action: string, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.throwIfAborted === 'function') return signal;
  throw invalidOption(action, 'signal is not an AbortSignal', 'Pass one, or nothing');
}

/** Returns an option that is a whole number, or its default. */
export function readCount(
  action: string,
  name: string,
  value: unknown,
  { min, max, default: fallback }: { min: number; max: number; default: number },
): number {
  if (value === undefined) return fallback;
  const refused = refuseNumber(name, value, [min, max]);
  if (refused) throw invalidOption(action, refused.reason, `Pass one, such as ${fallback}`);
  return Number(value);
}

/** Returns an option that is a time, in milliseconds since 1970. A day means its beginning in UTC. */
export function readInstant(action: string, name: string, value: Date | string): number {
  return readLimit(action, name, { since: value }).since;
}

/** Returns the times that limit a read. An absent time does not limit. */
export function readRange(action: string, { since, until, ...options }: RangeOptions): TimeRange {
  const timeZone = readTimeZone(action, options.timeZone);
  return {
    since: readLimit(action, 'since', { since }, timeZone).since,
    until: readLimit(action, 'until', { until }, timeZone).until,
  };
}

function readLimit(action: string, name: string, limit: TimeLimits, timeZone?: string): TimeRange {
  try {
    return readTimeRange(limit, { timeZone });
  } catch {
    throw invalidOption(action, `${name} is not a date`, 'Pass a valid Date or an ISO 8601 date, such as 2026-11-19');
  }
}

/** Returns an option that is a time zone. */
export function readTimeZone(action: string, timeZone: string | undefined): string | undefined {
  if (timeZone === undefined) return undefined;
  checkText(action, 'timeZone', timeZone);
  const name = findTimeZone(timeZone);
  if (name !== undefined) return name;
  throw invalidOption(action, 'timeZone is not an IANA time zone', 'Pass one, such as Asia/Tokyo');
}

/** Returns an option that is a list of kinds of media, or a boolean for all or none. */
export function readKinds(action: string, media: unknown = false): readonly MediaKind[] {
  if (typeof media === 'boolean') return media ? mediaKinds : [];
  if (Array.isArray(media) && media.every((kind) => mediaKinds.includes(kind))) return [...new Set<MediaKind>(media)];
  throw invalidOption(action, 'media is not supported', `Use a boolean, or some of ${mediaKinds.join(', ')}`);
}

/** Returns the only option of an operation that can be cancelled. */
export function readOnlySignal(action: string, options: { signal?: AbortSignal | undefined }): AbortSignal | undefined {
  checkOptions(action, options, ['signal']);
  return readSignal(action, options.signal);
}

/** Returns whether an instant is in the range of the options. */
export function rangeTest(action: string, options: RangeOptions): (instant: number) => boolean {
  const { since, until } = readRange(action, options);
  return (instant) => instant >= since && instant < until;
}
