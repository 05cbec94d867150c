/**
 * The Memory Read API as data: what its specification says, as schemas and types.
 *
 * @packageDocumentation
 */

// Responses

export type { MediaKind } from './fields.ts';
export type { ErrorBody, ListedMemory, Memory, Segment, Summary, Transcript } from './memory.ts';
export {
  errorBodySchema,
  listedMemorySchema,
  memoryListSchema,
  memorySchema,
  segmentSchema,
  summarySchema,
  transcriptSchema,
} from './schemas/schemas.ts';

// Stored records

export type { MediaReference, MemoryRecord } from './memory.ts';
export { memoryRecordSchema } from './schemas/schemas.ts';

// Date-times

export { parseDateTime } from './date-time.ts';

// Limits and the schema type

export { API_DOCUMENT_VERSION, MEDIA_URL_LIFETIME_SECONDS } from './limits.ts';
export type { Schema } from './schemas/schema.ts';
