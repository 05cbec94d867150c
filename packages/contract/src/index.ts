/**
 * The Memory Read API as data: what its specification says, as schemas and types.
 *
 * @packageDocumentation
 */

// Responses

export { type ErrorBody, errorBodySchema } from './schemas/error-body.ts';
export {
  type ListedMemory,
  listedMemorySchema,
  type MediaKind,
  type Memory,
  memoryListSchema,
  memorySchema,
} from './schemas/memory.ts';
export { type Segment, segmentSchema } from './schemas/segment.ts';
export { type Summary, summarySchema } from './schemas/summary.ts';
export { type Transcript, transcriptSchema } from './schemas/transcript.ts';

// What goes into a store

export { type MediaReference, type MemoryRecord, memoryRecordSchema } from './schemas/memory-record.ts';

// Date-times

export { parseDateTime } from './schemas/parse-date-time.ts';

// Limits, and what a schema is

export { API_DOCUMENT_VERSION, MEDIA_URL_LIFETIME_SECONDS } from './limits.ts';
export type { Schema } from './schemas/schema.ts';
