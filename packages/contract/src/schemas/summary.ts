import * as z from 'zod/mini';
import { type Schema, toSchema } from './schema.ts';

/** The generated summary of a memory. See section 2.4 of the specification. */
export interface Summary {
  /** A sentence or two. */
  quick_summary: string;
  /** The important points. */
  key_takeaways: string[];
}

export const summaryShape: z.ZodMiniType<Summary> = z.looseObject({
  quick_summary: z.string(),
  key_takeaways: z.array(z.string()),
});

/** Accepts a summary as section 2.4 of the specification writes it; unknown fields pass. */
export const summarySchema: Schema<Summary> = toSchema(summaryShape);
