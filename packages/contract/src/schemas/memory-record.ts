import * as z from 'zod/mini';
import { dateTimeShape } from './date-time.ts';
import type { MediaKind, Memory } from './memory.ts';
import { type Schema, toSchema } from './schema.ts';
import { summaryShape } from './summary.ts';
import { transcriptShape } from './transcript.ts';

/** Where a memory's media file lies in storage, and what it is. */
export interface MediaReference {
  /** Key of the object in the media storage, such as `mem_1/audio.wav`. */
  object_key: string;
  /** Media type it is served with, such as `audio/wav`. */
  content_type: string;
}

/**
 * A memory as it is put into a store, and one line of a JSON Lines file.
 *
 * It is the memory of section 2.1 of the specification without what the server adds to each answer: the owner and the
 * three signed URLs. In their place stand the keys of the stored media.
 */
export interface MemoryRecord extends Omit<Memory, 'user_id' | `${MediaKind}_url`> {
  /** The media that there are; an absent kind is served as a null URL. */
  media: { [Kind in MediaKind]?: MediaReference | undefined };
}

const mediaReferenceShape: z.ZodMiniType<MediaReference> = z.looseObject({
  object_key: z.string(),
  content_type: z.string(),
});

const memoryRecordShape: z.ZodMiniType<MemoryRecord> = z.looseObject({
  id: z.string(),
  name: z.string(),
  started_at: dateTimeShape,
  ended_at: dateTimeShape,
  is_processing: z.boolean(),
  duration_seconds: z.int(),
  transcript: z.nullable(transcriptShape),
  summary: z.nullable(summaryShape),
  media: z.looseObject({
    audio: z.optional(mediaReferenceShape),
    video: z.optional(mediaReferenceShape),
    preview_image: z.optional(mediaReferenceShape),
  }),
});

/** Accepts a {@link MemoryRecord}. What a store refuses beyond its shape, such as a control character in an id, is the server's to say. */
export const memoryRecordSchema: Schema<MemoryRecord> = toSchema(memoryRecordShape);
