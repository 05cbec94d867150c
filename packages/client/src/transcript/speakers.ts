import { normalizeTranscript } from './normalize-transcript.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** A speaker of a transcript. */
export interface Speaker {
  /** Speaker label as stored. */
  speaker: string;
  /** Number of segments with this label. */
  segments: number;
  /** Total length of these segments, in milliseconds. Overlapping time counts for each segment. */
  duration: number;
}

/**
 * Returns each speaker once, in the order of first speech. See section 2.3 of the specification.
 *
 * @example
 * ```ts
 * for (const { speaker, duration } of speakers(memory)) console.log(`${speaker} speaks for ${duration} ms`);
 * ```
 */
export function speakers(memory: TranscriptSource): Speaker[] {
  const found = new Map<string, Speaker>();
  for (const { speaker, start, end } of normalizeTranscript(memory).cues) {
    const { segments, duration } = found.get(speaker) ?? { segments: 0, duration: 0 };
    found.set(speaker, { speaker, segments: segments + 1, duration: duration + end - start });
  }
  return [...found.values()];
}
