import { longestTimer } from '@memory-read/contract/event-loop';
import { Option } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import { parseSpan, unitMs } from '../times/parse-span.ts';

/** Limits of a duration, as texts. */
interface DurationRange {
  from: string;
  to: string;
}

/** Parses a duration such as `30s`, `5m` or `2h`, and returns milliseconds. A day has 24 hours. */
export function parseDuration(option: string, range?: DurationRange): (text: string) => number {
  const [shortest, longest] = range
    ? [toMilliseconds(range.from) ?? 0, toMilliseconds(range.to) ?? 0]
    : [1, longestTimer];
  const expected = range
    ? `a duration from ${range.from} to ${range.to}. Pass one such as 30s.`
    : 'a duration from 1ms to 24 days. Pass one such as 30s, 5m or 2h.';
  return (text) => {
    const milliseconds = toMilliseconds(text);
    if (milliseconds !== undefined && milliseconds >= shortest && milliseconds <= longest) return milliseconds;
    throw usageError(`${option}: ${JSON.stringify(text)} is not ${expected}`);
  };
}

/** Two durations in milliseconds. */
export interface DurationPair {
  from: number;
  to: number;
}

/** Parses a range of durations such as `10s..5m`. One duration is a range that has only this one. */
export function parseDurationPair(option: string): (text: string) => DurationPair {
  const parse = parseDuration(option);
  return (text) => {
    const [from = '', to = from, ...others] = text.split('..');
    const pair = { from: parse(from), to: parse(to) };
    if (others.length === 0 && pair.from <= pair.to) return pair;
    throw usageError(`${option}: ${JSON.stringify(text)} is not a range of durations. Pass one such as 10s..5m.`);
  };
}

function toMilliseconds(text: string): number | undefined {
  const span = parseSpan(text, 0);
  return span && span.count * unitMs[span.unit];
}

export function durationOption(name: string, description: string, [milliseconds, text]: [number, string]): Option {
  return new Option(`${name} <duration>`, description).argParser(parseDuration(name)).default(milliseconds, text);
}
