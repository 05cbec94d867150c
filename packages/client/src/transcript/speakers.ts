import { normalizeTranscript } from './normalize-transcript.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** One label of a transcript, and how much is said under it. */
export interface Speaker {
  /** The label as stored. */
  speaker: string;
  /** How many segments have it. */
  segments: number;
  /** Milliseconds of these segments together; where they overlap, the time counts for each. */
  duration: number;
}

/**
 * Every label of the transcript once, in the order in which they are first heard.
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
