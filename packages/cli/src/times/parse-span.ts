/** A duration: minutes and hours are exact, days and weeks are days of the local clock. */
export interface Span {
  count: number;
  unit: 'm' | 'h' | 'd' | 'w';
}

/** Parses a duration such as `90m`, `12h`, `7d` or `2w`; undefined if the text is not one. */
export function parseSpan(text: string): Span | undefined {
  const [, count, unit] = /^(\d{1,9})([mhdw])$/i.exec(text) ?? [];
  if (unit === undefined || Number(count) === 0) return undefined;
  return { count: Number(count), unit: unit.toLowerCase() as Span['unit'] };
}
