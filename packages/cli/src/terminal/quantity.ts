/** Formats a number with its noun. */
export function quantity(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

/** Returns the line about date-times that lost digits beyond milliseconds; empty if there are none. */
export function describeShortened(dateTimes: number): string[] {
  if (dateTimes === 0) return [];
  return [`${quantity(dateTimes, 'date-time', 'date-times')} lost digits: milliseconds are the finest that is stored.`];
}
