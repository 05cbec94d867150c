import { usageError } from '../terminal/command-error.ts';
import type { TimeRange } from './is-in-range.ts';
import { parseSpan } from './parse-span.ts';
import { readTime, type TimeOptions } from './read-time.ts';

type Settings = Pick<TimeOptions, 'now' | 'timeZone'>;

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
export function parseTimeRange(texts: RangeTexts, settings: Settings): TimeRange {
  if (texts.last !== undefined) return { since: readLast(texts, texts.last, settings) };
  const since = readLimit('since', texts.since, settings);
  const until = readLimit('until', texts.until, settings);
  if (since && until && since >= until) {
    throw usageError('--since and --until: the range is empty. Pass a --since that is before --until.');
  }
  return { since, until };
}

function readLast({ since, until }: RangeTexts, last: string, settings: Settings): Date {
  if (since !== undefined || until !== undefined) {
    throw usageError('--last: it cannot be combined with --since or --until. Leave one of them out.');
  }
  const start = parseSpan(last) && readTime(last, { ...settings, limit: 'since', durations: 'past' });
  if (start) return start;
  throw usageError(`--last: ${JSON.stringify(last)} is not a duration. Pass one such as 12h, 7d or 2w.`);
}

function readLimit(limit: TimeOptions['limit'], text: string | undefined, settings: Settings): Date | undefined {
  const time = text === undefined ? undefined : readTime(text, { ...settings, limit, durations: 'past' });
  if (text === undefined || time !== undefined) return time;
  throw usageError(
    `--${limit}: ${JSON.stringify(text)} is not a time. Pass one such as 2026-11-01, "2026-11-01 09:00", yesterday or 7d.`,
  );
}
