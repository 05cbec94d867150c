/** How fast an account changes, as far as the polls have shown. All times are milliseconds since 1970. */
export interface Pace {
  changedAt: number;
  /** Listed memories that are being processed. */
  processing: number;
  /** Number of these that are processed for so long that they count no more. */
  stuck: number;
  /** Time when `processing` rose. */
  raisedAt: number;
}

/** Shortest and longest pause between two polls, in milliseconds. */
export interface PauseRange {
  shortest: number;
  longest: number;
}

const HOUR = 3_600_000;

const LONGEST_AFTER_FAILURE = 30_000;

/** Returns the pace after a poll. The first poll counts as a change. */
export function paceAfter(
  pace: Pace | undefined,
  { now, processing, hasChanged }: { now: number; processing: number; hasChanged: boolean },
): Pace {
  if (pace === undefined) return { changedAt: now, processing, stuck: 0, raisedAt: now };
  const raisedAt = processing > pace.processing ? now : pace.raisedAt;
  return {
    changedAt: hasChanged ? now : pace.changedAt,
    processing,
    stuck: now - raisedAt >= HOUR ? processing : Math.min(pace.stuck, processing),
    raisedAt,
  };
}

/**
 * Returns the milliseconds until the next poll: a tenth of the time since the last change, and the shortest pause while a
 * memory is being processed.
 */
export function pollPause({ changedAt, processing, stuck }: Pace, now: number, range: PauseRange): number {
  if (processing > stuck) return range.shortest;
  return Math.min(Math.max((now - changedAt) / 10, range.shortest), range.longest);
}

/** Returns the milliseconds until the poll after a failed one. A `Retry-After` of the server goes first, up to one day. */
export function failurePause(error: unknown, range: PauseRange): number {
  return Math.max(Math.min(retryAfterOf(error), 24 * HOUR), Math.min(LONGEST_AFTER_FAILURE, range.longest));
}

/** Returns the milliseconds that a server asked to wait, or 0. */
export function retryAfterOf(error: unknown): number {
  return (Object(error) as { retryAfterMs?: number }).retryAfterMs ?? 0;
}
