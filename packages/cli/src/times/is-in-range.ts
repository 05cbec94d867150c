import { parseDateTime } from '@memory-read/contract/date-time';

/** Range of starts: `since <= started_at < until`. */
export interface TimeRange {
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Returns whether an ISO 8601 date-time is in a range. An invalid date-time is only in a range without limits. */
export function isInRange(startedAt: string, { since, until }: TimeRange): boolean {
  if (since === undefined && until === undefined) return true;
  const instant = parseDateTime(startedAt) ?? Number.NaN;
  return instant >= (since?.getTime() ?? Number.NEGATIVE_INFINITY) && instant < (until?.getTime() ?? Infinity);
}
