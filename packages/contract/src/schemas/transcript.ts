import * as z from 'zod/mini';
import { type Schema, toSchema } from './schema.ts';
import { type Segment, segmentShape } from './segment.ts';

/** What was said in a memory, by whom and when. See section 2.2 of the specification. */
export interface Transcript {
  /** Segments in order of their start. */
  segments: Segment[];
}

export const transcriptShape: z.ZodMiniType<Transcript> = z.looseObject({ segments: z.array(segmentShape) });

/** Accepts a transcript as section 2.2 of the specification writes it; unknown fields pass. */
export const transcriptSchema: Schema<Transcript> = toSchema(transcriptShape);
