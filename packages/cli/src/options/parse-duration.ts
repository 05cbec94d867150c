import { usageError } from '../terminal/command-error.ts';

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const longestMs = 2_147_483_647;

/** Parses a duration such as `30s`, `5m` or `2h`, and returns milliseconds. */
export function parseDuration(option: string): (text: string) => number {
  return (text) => {
    const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
    const milliseconds = Number(count) * (unitMs[unit] ?? Number.NaN);
    if (milliseconds >= 1 && milliseconds <= longestMs) return milliseconds;
    throw usageError(
      `${option}: ${JSON.stringify(text)} is not a duration of up to 24 days. Pass one such as 30s, 5m or 2h.`,
    );
  };
}
