import { type MemoryRecord, memoryRecordSchema, type Schema, type Transcript } from '@memory-read/contract';
import { normalizeDateTime } from './date-time.ts';
import type { MemoryRecordIssue } from './invalid-memory-record-error.ts';
import { contentTypeProblem, objectKeyProblem } from './media-reference-problem.ts';
import { idProblem, textProblem } from './storable-text.ts';

const mediaKinds = ['audio', 'video', 'preview_image'] as const;
const fields = [
  ...['id', 'name', 'started_at', 'ended_at', 'is_processing', 'duration_seconds'],
  ...['transcript', 'summary', 'media'],
];
const hints = new Map([
  ['user_id', 'is not stored: the account is named beside the record'],
  ...mediaKinds.map((kind) => [`${kind}_url`, `is not stored: name the object in media.${kind}`] as const),
]);

/** Everything for which a store refuses the record; empty for one that it keeps. */
export function memoryRecordIssues(record: MemoryRecord): MemoryRecordIssue[] {
  const misshapen = schemaIssues(memoryRecordSchema, record);
  if (misshapen.length > 0) return misshapen;
  return [
    ...issue('id', idProblem(record.id)),
    ...issue('name', textProblem(record.name)),
    ...dateTimeIssue('started_at', record.started_at),
    ...dateTimeIssue('ended_at', record.ended_at),
    ...issue('duration_seconds', record.duration_seconds < 0 ? 'is negative' : undefined),
    ...transcriptIssues(record.transcript),
    ...unknownFieldIssues('', record, fields),
    ...mediaIssues(record),
  ];
}

/** What the schema says of the value, which stands at `path` in its record. */
export function schemaIssues<Value>(
  schema: Schema<Value>,
  value: unknown,
  path: readonly PropertyKey[] = [],
): MemoryRecordIssue[] {
  const { issues = [] } = schema['~standard'].validate(value);
  return issues.map((issue) => ({ path: formatPath([...path, ...(issue.path ?? [])]), message: issue.message }));
}

/** For which date-times of a well-formed transcript a store refuses it. */
export function transcriptIssues(transcript: Transcript | null): MemoryRecordIssue[] {
  return (transcript?.segments ?? []).flatMap(({ start_at, end_at }, index) => [
    ...dateTimeIssue(`transcript.segments[${index}].start_at`, start_at),
    ...dateTimeIssue(`transcript.segments[${index}].end_at`, end_at),
  ]);
}

function dateTimeIssue(path: string, dateTime: string): MemoryRecordIssue[] {
  const problem = `is ${dateTime}, outside of the years 0000 to 9999 in UTC`;
  return normalizeDateTime(dateTime) === undefined ? [{ path, message: problem }] : [];
}

function mediaIssues({ media }: MemoryRecord): MemoryRecordIssue[] {
  const issues = unknownFieldIssues('media.', media, mediaKinds);
  for (const kind of mediaKinds) {
    const reference = media[kind];
    if (reference === undefined) continue;
    const path = `media.${kind}.`;
    issues.push(
      ...issue(`${path}object_key`, objectKeyProblem(reference.object_key)),
      ...issue(`${path}content_type`, contentTypeProblem(kind, reference)),
      ...unknownFieldIssues(path, reference, ['object_key', 'content_type']),
    );
  }
  return issues;
}

/** A store has no place for a field it does not know, and dropping it would be a silent loss. */
function unknownFieldIssues(prefix: string, value: object, known: readonly string[]): MemoryRecordIssue[] {
  return Object.entries(value)
    .filter(([field, content]) => content !== undefined && !known.includes(field))
    .map(([field]) => ({
      path: `${prefix}${field}`,
      message: hints.get(prefix + field) ?? 'is a field no store keeps',
    }));
}

function issue(path: string, message: string | undefined): MemoryRecordIssue[] {
  return message === undefined ? [] : [{ path, message }];
}

function formatPath(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return keys.reduce<string>(appendKey, '');
}

function appendKey(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}
