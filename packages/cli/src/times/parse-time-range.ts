import { usageError } from '../terminal/command-error.ts';
import type { TimeRange } from './is-in-range.ts';
import { moveBySpan } from './move-by-span.ts';
import { parseSpan } from './parse-span.ts';
import { parseTime, type TimeLimit } from './parse-time.ts';

interface RangeTexts {
  since?: string | undefined;
  until?: string | undefined;
  last?: string | undefined;
}

/**
 * Parses the range of `--since` and `--until`, or of `--last`.
 *
 * @throws CommandError if a value is invalid or the range is empty.
 */
export function parseTimeRange(texts: RangeTexts, now: Date): TimeRange {
  if (texts.last !== undefined) return { since: readLast(texts, texts.last, now) };
  const since = readTime('since', texts.since, now);
  const until = readTime('until', texts.until, now);
  if (since && until && since >= until) {
    throw usageError('--since and --until: the range is empty. Pass a --since that is before --until.');
  }
  return { since, until };
}

function readLast({ since, until }: RangeTexts, last: string, now: Date): Date {
  if (since !== undefined || until !== undefined) {
    throw usageError('--last: it cannot be combined with --since or --until. Leave one of them out.');
  }
  const span = parseSpan(last);
  const start = span && new Date(moveBySpan(now.getTime(), span, 'past', 'since'));
  if (start && start.getUTCFullYear() >= 0) return start;
  throw usageError(`--last: ${described(last, 'a duration')}. Pass one such as 12h, 7d or 2w.`);
}

function readTime(limit: TimeLimit, text: string | undefined, now: Date): Date | undefined {
  const time = text === undefined ? undefined : parseTime(text, { limit, now });
  if (text === undefined || time !== undefined) return time;
  throw usageError(
    `--${limit}: ${described(text, 'a time')}. Pass one such as 2026-11-01, "2026-11-01 09:00", yesterday or 7d.`,
  );
}

function described(text: string, kind: string): string {
  return text === '' ? 'the value is empty' : `${JSON.stringify(text)} is not ${kind}`;
}
