import type { MediaReference, MemoryRecord, Segment, Summary, Transcript } from '@memory-read/contract';
import { normalizeDateTime } from '@memory-read/contract/date-time';
import { mediaKinds } from '@memory-read/contract/fields';
import type { StoredMemory } from '../ports/memory-store.ts';
import { InvalidMemoryRecordError } from './invalid-memory-record-error.ts';
import { memoryRecordIssues } from './memory-record-issues.ts';
import { withPlainResult } from './plain-result.ts';
import { type RecordFieldName, recordFields, rows } from './record-fields.ts';
import { idProblem } from './value-problems.ts';

/**
 * Returns a memory as every store holds it, after checking the record.
 *
 * Date-times are converted to UTC with milliseconds. Segments are sorted by their start. Transcript and summary become
 * JSON text.
 *
 * Unknown fields of the transcript, its segments and the summary are kept. Any other unknown field is rejected, because
 * a store has no column for it.
 *
 * @throws {@link InvalidMemoryRecordError} if the record or the user id is invalid. It names all invalid fields.
 *
 * @see Sections 2.1 to 2.4 of the specification.
 *
 * @example
 * ```ts
 * const rows = records.map((record) => toStoredMemory('user_1', record));
 * console.log(rows[0]?.started_at); // UTC, with milliseconds
 * ```
 */
export function toStoredMemory(userId: string, given: MemoryRecord): StoredMemory {
  const record = withPlainResult(given);
  const issues = memoryRecordIssues(record);
  const userProblem = idProblem(userId);
  if (userProblem !== undefined) issues.push({ path: 'user_id', message: userProblem });
  if (issues.length > 0) throw new InvalidMemoryRecordError(record?.id, issues);

  return {
    ...toStoredFields(record),
    media: toStoredMedia(record.media),
    user_id: userId,
    is_processing: record.is_processing,
    ...toStoredResult(record),
  };
}

function toStoredFields(record: MemoryRecord): Pick<StoredMemory, RecordFieldName> {
  const fields: { [Name in RecordFieldName]?: unknown } = {};
  for (const name of recordFields) {
    const value: unknown = record[name] ?? null;
    fields[name] = rows[name].type === 'date-time' && value !== null ? toUtc(value as string) : value;
  }
  return fields as Pick<StoredMemory, RecordFieldName>;
}

/** Returns transcript and summary as JSON text. Both must have been checked. */
export function toStoredResult(result: { transcript: Transcript | null; summary: Summary | null }): {
  transcriptJson: string | null;
  summaryJson: string | null;
} {
  return {
    transcriptJson: result.transcript && JSON.stringify(toOrderedTranscript(result.transcript)),
    summaryJson: result.summary && JSON.stringify(result.summary),
  };
}

function toOrderedTranscript(transcript: Transcript): Transcript {
  const segments = transcript.segments.map((segment) => ({
    ...segment,
    start_at: toUtc(segment.start_at),
    end_at: toUtc(segment.end_at),
  }));
  return { ...transcript, segments: segments.sort(compareStarts) };
}

function compareStarts(a: Segment, b: Segment): number {
  if (a.start_at === b.start_at) return 0;
  return a.start_at < b.start_at ? -1 : 1;
}

function toStoredMedia(given: MemoryRecord['media']): MemoryRecord['media'] {
  const media: MemoryRecord['media'] = {};
  for (const kind of mediaKinds) {
    const reference = given[kind];
    if (reference) media[kind] = toStoredReference(reference);
  }
  return media;
}

function toStoredReference({ object_key, content_type }: MediaReference): MediaReference {
  return { object_key, content_type };
}

/** The issues were checked before, so every date-time has a normal form. */
function toUtc(dateTime: string): string {
  return normalizeDateTime(dateTime) as string;
}
