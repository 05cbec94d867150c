import { type MemoryRecord, memoryRecordSchema, type Schema, type Transcript } from '@memory-read/contract';
import { normalizeDateTime } from '@memory-read/contract/date-time';
import { type FieldType, fieldNames, mediaKinds } from '@memory-read/contract/fields';
import type { MemoryRecordIssue } from './invalid-memory-record-error.ts';
import { recordFields, rows } from './record-fields.ts';
import { contentTypeProblem, idProblem, objectKeyProblem, textProblem } from './value-problems.ts';

const knownFields: readonly string[] = [
  'media',
  ...fieldNames.filter((name) => ['record', 'processing'].includes(rows[name].from)),
];
const referenceFields = ['object_key', 'content_type'];
const hints = new Map<string, string>([
  ['user_id', 'is not stored: pass the account beside the record'],
  ...mediaKinds.map((kind) => [`${kind}_url`, `is not stored: name the object in media.${kind}`] as const),
]);

/** Checks of values that the schema accepts, by the type of the field. */
const problems: { [Type in FieldType]?: (value: never) => string | undefined } = {
  string: textProblem,
  uri: textProblem,
  'date-time': dateTimeProblem,
  integer: (value: number) => (value < 0 ? 'is negative' : undefined),
};

/** Returns all problems for which a store rejects the record. */
export function memoryRecordIssues(record: MemoryRecord): MemoryRecordIssue[] {
  const misshapen = schemaIssues(memoryRecordSchema, record);
  if (misshapen.length > 0) return misshapen;
  const issues: MemoryRecordIssue[] = [];
  for (const name of recordFields) {
    const value = record[name] ?? null;
    if (value === null) continue;
    const problem = name === 'id' ? idProblem : problems[rows[name].type];
    note(issues, name, problem?.(value as never));
  }
  // A long transcript has too many issues for the arguments of one call of `push`.
  for (const issue of transcriptIssues(record.transcript)) issues.push(issue);
  noteUnknownFields(issues, '', record, knownFields);
  noteMedia(issues, record.media);
  return issues;
}

/** Returns the problems that the schema finds in the value at `path` of a record. */
export function schemaIssues<Value>(
  schema: Schema<Value>,
  value: unknown,
  path: readonly PropertyKey[] = [],
): MemoryRecordIssue[] {
  const { issues = [] } = schema['~standard'].validate(value);
  return issues.map((issue) => ({ path: formatPath([...path, ...(issue.path ?? [])]), message: issue.message }));
}

/** Returns the problems with the date-times of a valid transcript. */
export function transcriptIssues(transcript: Transcript | null): MemoryRecordIssue[] {
  const issues: MemoryRecordIssue[] = [];
  for (const [index, { start_at, end_at }] of (transcript?.segments ?? []).entries()) {
    note(issues, `transcript.segments[${index}].start_at`, dateTimeProblem(start_at));
    note(issues, `transcript.segments[${index}].end_at`, dateTimeProblem(end_at));
  }
  return issues;
}

function dateTimeProblem(dateTime: string): string | undefined {
  if (normalizeDateTime(dateTime) !== undefined) return undefined;
  return `is ${dateTime}, which is outside the years 0000 to 9999 in UTC`;
}

function noteMedia(issues: MemoryRecordIssue[], media: MemoryRecord['media']): void {
  noteUnknownFields(issues, 'media.', media, mediaKinds);
  for (const kind of mediaKinds) {
    const reference = media[kind];
    if (reference === undefined) continue;
    note(issues, `media.${kind}.object_key`, objectKeyProblem(reference.object_key));
    note(issues, `media.${kind}.content_type`, contentTypeProblem(kind, reference));
    noteUnknownFields(issues, `media.${kind}.`, reference, referenceFields);
  }
}

/** Rejects unknown fields: a store has no column for them, and dropping them would lose data silently. */
function noteUnknownFields(issues: MemoryRecordIssue[], prefix: string, value: object, known: readonly string[]): void {
  for (const [field, content] of Object.entries(value)) {
    if (known.includes(field) || content === undefined) continue;
    const path = prefix + field;
    issues.push({ path, message: hints.get(path) ?? 'is an unknown field' });
  }
}

/** Adds to the list in place, because an import has many records and most have no issue. */
function note(issues: MemoryRecordIssue[], path: string, message: string | undefined): void {
  if (message !== undefined) issues.push({ path, message });
}

function formatPath(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return keys.reduce<string>(appendKey, '');
}

function appendKey(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}
