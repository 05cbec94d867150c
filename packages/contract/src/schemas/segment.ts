import * as z from 'zod/mini';
import { dateTimeShape } from './date-time.ts';
import { type Schema, toSchema } from './schema.ts';

/** One stretch of speech by one speaker. See section 2.3 of the specification. */
export interface Segment {
  /** Diarized speaker label, of the form "Speaker 1". */
  speaker: string;
  /** Absolute ISO 8601 date-time at which the segment starts; may carry milliseconds. */
  start_at: string;
  /** Absolute ISO 8601 date-time at which the segment ends. */
  end_at: string;
  /** What was said. */
  text: string;
}

export const segmentShape: z.ZodMiniType<Segment> = z.looseObject({
  speaker: z.string(),
  start_at: dateTimeShape,
  end_at: dateTimeShape,
  text: z.string(),
});

/** Accepts a segment as section 2.3 of the specification writes it; unknown fields pass. */
export const segmentSchema: Schema<Segment> = toSchema(segmentShape);
