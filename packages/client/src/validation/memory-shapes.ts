import type { ListedMemory, Memory, Segment, Summary, Transcript } from '@memory-read/contract';
import { addDrift } from './findings.ts';
import { arrayOf, dateTime, flag, integer, isObject, nullable, objectOf, type Shape, text, uri } from './shape.ts';

const segment = objectOf<Segment>({ speaker: text, start_at: dateTime, end_at: dateTime, text });

const transcript = objectOf<Transcript>({ segments: arrayOf(segment) });

const summary = objectOf<Summary>({ quick_summary: text, key_takeaways: arrayOf(text) });

/** Null by the specification (section 4.1.3); a transcript that comes all the same is inspected and passes. */
const listedTranscript: Shape<null> = {
  isNullable: true,
  inspect(value, findings) {
    if (value === null) return;
    if (isObject(value)) addDrift(findings, 'listed_transcript', 'expected null');
    transcript.inspect(value, findings);
  },
};

const commonFields = {
  id: text,
  name: text,
  started_at: dateTime,
  ended_at: dateTime,
  is_processing: flag,
  user_id: text,
  duration_seconds: integer,
  audio_url: nullable(uri),
  video_url: nullable(uri),
  preview_image_url: nullable(uri),
  summary: nullable(summary),
};

/** The memory of section 2.1 of the specification. */
export const memoryShape: Shape<Memory> = objectOf<Memory>({ ...commonFields, transcript: nullable(transcript) });

/** The list of section 4.1 of the specification. */
export const memoryListShape: Shape<ListedMemory[]> = arrayOf(
  objectOf<ListedMemory>({ ...commonFields, transcript: listedTranscript }),
);
