import { parseDateTime } from '@memory-read/contract/date-time';
import { MirrorError } from '../errors/mirror-error.ts';

/** Times that limit a read: `since <= start < until`, in milliseconds since 1970. */
export interface TimeRange {
  since: number;
  until: number;
}

/** Returns the error for an invalid option. The message does not contain the value, which could be a key or a text. */
export function invalidOption(action: string, reason: string, advice: string): MirrorError {
  return new MirrorError('invalid_option', `Failed to ${action}: ${reason}. ${advice}.`);
}

/**
 * Checks that the options are an object. It rejects a name of these in another style, such as `readonly`, because it
 * would have no effect. Other names are accepted, because an object can have further properties.
 *
 * @throws {@link MirrorError} with the code `invalid_option`.
 */
export function checkOptions(action: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidOption(action, 'options is not an object', 'Pass an object, or nothing');
  }
  for (const given of Object.keys(options)) {
    const meant = names.find((name) => name !== given && plain(name) === plain(given));
    if (meant !== undefined) throw invalidOption(action, `the option ${given} is not supported`, `Use ${meant}`);
  }
}

/** Styles differ in case, separators or the plural. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]|s$/g, '');
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
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  const bounds = `${min} to ${max.toLocaleString('en')}`;
  throw invalidOption(action, `${name} is not a whole number from ${bounds}`, `Pass one, such as ${fallback}`);
}

/** Returns an option that is a time, in milliseconds since 1970. */
export function readInstant(action: string, name: string, value: unknown): number {
  const instant = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseDate(value) : undefined;
  if (instant !== undefined && !Number.isNaN(instant)) return instant;
  throw invalidOption(action, `${name} is not a date`, 'Pass a valid Date or an ISO 8601 date, such as 2026-11-19');
}

/** Returns the times that limit a read. An absent time does not limit. */
export function readRange(action: string, { since, until }: { since?: unknown; until?: unknown }): TimeRange {
  return {
    since: since === undefined ? Number.NEGATIVE_INFINITY : readInstant(action, 'since', since),
    until: until === undefined ? Number.POSITIVE_INFINITY : readInstant(action, 'until', until),
  };
}

/** A day means its first instant in UTC. */
function parseDate(text: string): number | undefined {
  return parseDateTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
}
