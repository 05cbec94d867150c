import { usageError } from '../terminal/command-error.ts';

/** Parses a whole number from `smallest` to `largest`. */
export function parseCount(option: string, largest: number, smallest = 1): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (count >= smallest && count <= largest) return count;
    throw usageError(
      `${option}: ${JSON.stringify(text)} is not a whole number from ${smallest} to ${largest}. Pass one such as ${Math.max(4, smallest)}.`,
    );
  };
}
