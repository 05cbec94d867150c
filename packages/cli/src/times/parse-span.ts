/** A duration: days and weeks are days of the local clock, and all other units are exact. */
export interface Span {
  count: number;
  unit: keyof typeof unitMs;
}

/** Milliseconds of a unit. */
export const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Parses a duration such as `500ms`, `90s`, `30m`, `12h`, `7d` or `2w`; undefined if the text is not one, or if its count is
 * less than `smallest`.
 */
export function parseSpan(text: string, smallest = 1): Span | undefined {
  const [, count, unit] = /^(\d{1,9})(ms|[smhdw])$/i.exec(text) ?? [];
  if (unit === undefined || Number(count) < smallest) return undefined;
  return { count: Number(count), unit: unit.toLowerCase() as Span['unit'] };
}
