import { parseDateTime } from '@memory-read/contract';

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date-time, with fractions. It is undefined for any other value.
 */
export function toInstant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, beyondMilliseconds = ''] = /[.,]\d{3}(\d+)/.exec(value) ?? [];
  const instant = parseDateTime(value);
  return instant === undefined ? undefined : instant + Number(`0.${beyondMilliseconds || 0}`);
}
