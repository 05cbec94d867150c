import type { Memory } from '@memory-read/client';

/** Returns whether the transcript contains a letter or a digit. */
export function hasWords({ transcript }: Pick<Memory, 'transcript'>): boolean {
  return transcript?.segments.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ?? false;
}
