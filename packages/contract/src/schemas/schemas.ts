import * as z from 'zod/mini';
import { errorBodyFields, type MemoryField, mediaKinds, memoryFields, partFields } from '../fields.ts';
import type { ErrorBody, ListedMemory, Memory, MemoryRecord, Segment, Summary, Transcript } from '../memory.ts';
import { fieldShapes } from './field-shapes.ts';
import { type Schema, toSchema } from './schema.ts';

const memoryShapes = fieldShapes(memoryFields);
const listedMemoryShape = z.looseObject({ ...memoryShapes, transcript: z.null() });

/**
 * Accepts a memory of section 2.1 of the specification. Unknown fields are allowed.
 *
 * It is a Standard Schema and validates synchronously. Its issues never contain the value.
 *
 * @example
 * ```ts
 * const result = memorySchema['~standard'].validate(await response.json());
 * if (result.issues)
 *   throw new Error(result.issues.map(({ path, message }) => `${path?.join('.')}: ${message}`).join('\n'));
 * console.log(result.value.name);
 * ```
 */
export const memorySchema: Schema<Memory> = toSchema(z.looseObject(memoryShapes));

/** Accepts a memory of a list: its transcript is null. See section 4.1 of the specification. */
export const listedMemorySchema: Schema<ListedMemory> = toSchema(listedMemoryShape);

/** Accepts a list of memories. See section 4.1 of the specification. */
export const memoryListSchema: Schema<ListedMemory[]> = toSchema(z.array(listedMemoryShape));

/** Accepts a transcript of section 2.2 of the specification. Unknown fields are allowed. */
export const transcriptSchema: Schema<Transcript> = toSchema(z.looseObject(fieldShapes(partFields.Transcript)));

/** Accepts a segment of section 2.3 of the specification. Unknown fields are allowed. */
export const segmentSchema: Schema<Segment> = toSchema(z.looseObject(fieldShapes(partFields.Segment)));

/** Accepts a summary of section 2.4 of the specification. Unknown fields are allowed. */
export const summarySchema: Schema<Summary> = toSchema(z.looseObject(fieldShapes(partFields.Summary)));

/** Accepts an error body of section 2.5 of the specification. Unknown fields are allowed. */
export const errorBodySchema: Schema<ErrorBody> = toSchema(z.looseObject(fieldShapes(errorBodyFields)));

/** Accepts a {@link MemoryRecord}. Stores have further rules, for example about control characters in ids. */
export const memoryRecordSchema: Schema<MemoryRecord> = toSchema(recordShape());

function recordShape(): z.ZodMiniType {
  const stored = Object.entries<MemoryField>(memoryFields).filter(
    ([, { from }]) => from === 'record' || from === 'processing',
  );
  const fields = stored.map(([name, { addedIn }]) => {
    const shape = memoryShapes[name] as z.ZodMiniType;
    return [name, addedIn === undefined ? shape : z.optional(shape)];
  });
  const reference = z.looseObject({ object_key: z.string(), content_type: z.string() });
  const media = Object.fromEntries(mediaKinds.map((kind) => [kind, z.optional(reference)]));
  return z.looseObject({ ...Object.fromEntries(fields), media: z.looseObject(media) });
}
