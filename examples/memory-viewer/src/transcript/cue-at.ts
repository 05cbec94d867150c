import type { Cue } from '@memory-read/client/transcript';

/** The index of the cue that began last, or -1 before the first; cues are in order of start, times in milliseconds. */
export function cueAt(cues: readonly Cue[], time: number): number {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle]?.start ?? 0) <= time + TOLERANCE_MS) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Players go to the frame before a moment. */
const TOLERANCE_MS = 20;
