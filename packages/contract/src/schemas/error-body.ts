import * as z from 'zod/mini';
import { type Schema, toSchema } from './schema.ts';

/** The body of every error response. See sections 2.5 and 7 of the specification. */
export interface ErrorBody {
  /** What went wrong, for people. */
  detail: string;
}

export const errorBodyShape: z.ZodMiniType<ErrorBody> = z.looseObject({ detail: z.string() });

/** Accepts an error body as section 2.5 of the specification writes it; unknown fields pass. */
export const errorBodySchema: Schema<ErrorBody> = toSchema(errorBodyShape);
