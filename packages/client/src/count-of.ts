/** Returns a number with its noun, such as "1 byte" and "2 bytes". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
