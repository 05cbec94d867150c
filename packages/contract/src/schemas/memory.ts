import * as z from 'zod/mini';
import { dateTimeShape } from './date-time.ts';
import { type Schema, toSchema } from './schema.ts';
import { type Summary, summaryShape } from './summary.ts';
import { type Transcript, transcriptShape } from './transcript.ts';
import { uriShape } from './uri.ts';

/** A recorded moment, as the detail endpoint returns it. See section 2.1 of the specification. */
export interface Memory {
  /** Unique id; opaque. */
  id: string;
  /** Name that the user sees. */
  name: string;
  /** ISO 8601 date-time of the start. */
  started_at: string;
  /** ISO 8601 date-time of the end. */
  ended_at: string;
  /** True while transcript and summary are still being made. */
  is_processing: boolean;
  /** Id of the owner; opaque. */
  user_id: string;
  /** Length in whole seconds. */
  duration_seconds: number;
  /** Signed URL of the audio, valid for one hour from the response; null when there is none. */
  audio_url: string | null;
  /** Signed URL of the video, valid for one hour from the response; null when there is none. */
  video_url: string | null;
  /** Signed URL of the preview image, valid for one hour from the response; null when there is none. */
  preview_image_url: string | null;
  /** May be null while processing; afterwards for a recording in which nobody speaks. */
  transcript: Transcript | null;
  /** May be null while processing; afterwards where none was made. */
  summary: Summary | null;
}

/** A memory in a list: the same twelve fields, the transcript always null. See section 4.1 of the specification. */
export interface ListedMemory extends Memory {
  /** Lists carry no transcripts; read the memory itself. */
  transcript: null;
}

/** Which of a memory's three media. */
export type MediaKind = 'audio' | 'video' | 'preview_image';

const commonFields = {
  id: z.string(),
  name: z.string(),
  started_at: dateTimeShape,
  ended_at: dateTimeShape,
  is_processing: z.boolean(),
  user_id: z.string(),
  duration_seconds: z.int(),
  audio_url: z.nullable(uriShape),
  video_url: z.nullable(uriShape),
  preview_image_url: z.nullable(uriShape),
};

export const memoryShape: z.ZodMiniType<Memory> = z.looseObject({
  ...commonFields,
  transcript: z.nullable(transcriptShape),
  summary: z.nullable(summaryShape),
});

export const listedMemoryShape: z.ZodMiniType<ListedMemory> = z.looseObject({
  ...commonFields,
  transcript: z.null(),
  summary: z.nullable(summaryShape),
});

export const memoryListShape: z.ZodMiniType<ListedMemory[]> = z.array(listedMemoryShape);

/**
 * Accepts a memory as section 2.1 of the specification writes it; unknown fields pass.
 *
 * A Standard Schema that answers at once: the value, or issues that never repeat what they are about.
 *
 * @example
 * ```ts
 * const result = memorySchema['~standard'].validate(await response.json());
 * if (result.issues)
 *   throw new Error(result.issues.map(({ path, message }) => `${path?.join('.')}: ${message}`).join('\n'));
 * console.log(result.value.name);
 * ```
 */
export const memorySchema: Schema<Memory> = toSchema(memoryShape);

/** Accepts an element of the list of section 4.1 of the specification: a memory whose transcript is null. */
export const listedMemorySchema: Schema<ListedMemory> = toSchema(listedMemoryShape);

/** Accepts the body of the list of section 4.1 of the specification. */
export const memoryListSchema: Schema<ListedMemory[]> = toSchema(memoryListShape);
