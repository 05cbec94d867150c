import { usageError } from '../terminal/command-error.ts';

/** Parses a whole number from 1 to `largest`. */
export function parseCount(option: string, largest: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= largest) return count;
    throw usageError(
      `${option}: ${JSON.stringify(text)} is not a whole number from 1 to ${largest}. Pass one such as 4.`,
    );
  };
}
