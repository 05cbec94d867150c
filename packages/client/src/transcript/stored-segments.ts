import type { Segment } from '@memory-read/contract';
import type { TranscriptSource } from './transcript-source.ts';

/**
 * Returns the segments of a transcript in the stored order; an empty array for a null transcript.
 *
 * Responses that were not validated can hold anything: a field that is not a text becomes an empty text. See section 2.2
 * of the specification.
 *
 * @example
 * ```ts
 * console.log(storedSegments(memory).map(({ speaker }) => speaker));
 * ```
 */
export function storedSegments({ transcript }: Pick<TranscriptSource, 'transcript'>): Segment[] {
  const segments: unknown = transcript?.segments;
  if (!Array.isArray(segments)) return [];
  return segments.map((value) => ({
    speaker: textOf(value?.speaker),
    start_at: textOf(value?.start_at),
    end_at: textOf(value?.end_at),
    text: textOf(value?.text),
  }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
