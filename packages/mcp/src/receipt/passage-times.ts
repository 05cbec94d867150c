import type { Memory } from '@memory-read/client';
import { type Cue, normalizeTranscript } from '@memory-read/client/transcript';

/** Returns a function that reads the smallest start and the largest end of a range of segments. */
export function passageTimes(memory: Memory): (range: readonly [number, number]) => { start: number; end: number } {
  const cues: Cue[] = [];
  for (const cue of normalizeTranscript(memory).cues) cues[cue.segment] = cue;
  return ([first, last]) => {
    let start = Number.POSITIVE_INFINITY;
    let end = 0;
    for (const cue of cues.slice(first, last + 1)) {
      start = Math.min(start, cue.start);
      end = Math.max(end, cue.end);
    }
    return { start, end };
  };
}
