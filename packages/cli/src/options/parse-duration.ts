import { Option } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import { parseSpan, unitMs } from '../times/parse-span.ts';

const longestMs = 2_147_483_647;

/** Parses a duration such as `30s`, `5m` or `2h`, and returns milliseconds. A day has 24 hours. */
export function parseDuration(option: string): (text: string) => number {
  return (text) => {
    const span = parseSpan(text);
    const milliseconds = span && span.count * unitMs[span.unit];
    if (milliseconds !== undefined && milliseconds <= longestMs) return milliseconds;
    throw usageError(
      `${option}: ${JSON.stringify(text)} is not a duration of up to 24 days. Pass one such as 30s, 5m or 2h.`,
    );
  };
}

export function durationOption(name: string, description: string, [milliseconds, text]: [number, string]): Option {
  return new Option(`${name} <duration>`, description).argParser(parseDuration(name)).default(milliseconds, text);
}
