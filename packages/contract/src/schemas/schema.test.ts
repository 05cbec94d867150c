import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expect, expectTypeOf, test } from 'vitest';
import { exampleMemory } from '../field-words.ts';
import { errorBodyFields, type Field, type MemoryField, memoryFields, partFields } from '../fields.ts';
import type { ErrorBody, ListedMemory, Memory, MemoryRecord, Segment, Summary, Transcript } from '../memory.ts';
import type { Schema } from './schema.ts';
import {
  errorBodySchema,
  listedMemorySchema,
  memoryListSchema,
  memoryRecordSchema,
  memorySchema,
  segmentSchema,
  summarySchema,
  transcriptSchema,
} from './schemas.ts';

const secret = 'the value that must not be told';

const memory = exampleMemory();
const transcript = memory.transcript as Transcript;
const [segment] = transcript.segments as [Segment];
const summary = memory.summary as Summary;
const servedOnly = ['account', 'signer'];
const isRecorded = ([, { from }]: [string, MemoryField]) => !servedOnly.includes(from);
const recordFields = Object.fromEntries(Object.entries<MemoryField>(memoryFields).filter(isRecorded));
const record = {
  ...Object.fromEntries(Object.entries(memory).filter(([name]) => name in recordFields)),
  media: { audio: { object_key: 'any id/audio', content_type: 'audio/wav' } },
} as MemoryRecord;

/** Returns the name of a field's type in a message. */
type Expected = (typeof expectations)[Field['type']] | 'null';

const expectations = {
  string: 'string',
  'date-time': 'an ISO 8601 date-time',
  uri: 'an absolute URI',
  integer: 'integer',
  boolean: 'boolean',
  'string[]': 'array',
  Transcript: 'object',
  'Segment[]': 'array',
  Summary: 'object',
} as const satisfies Record<Field['type'], string>;

/** The specification of each field: its type, and whether it may be null. */
type FieldTable = Record<string, { expected: Expected; nullable?: true }>;

function tableOf(rows: Record<string, Field>): FieldTable {
  const entries = Object.entries(rows).map(([name, { type, ...row }]) => [
    name,
    { ...row, expected: expectations[type] },
  ]);
  return Object.fromEntries(entries);
}

const objects: { name: string; schema: Schema<object>; valid: object; fields: FieldTable }[] = [
  { name: 'memory', schema: memorySchema, valid: memory, fields: tableOf(memoryFields) },
  {
    name: 'listed memory',
    schema: listedMemorySchema,
    valid: { ...memory, transcript: null },
    fields: { ...tableOf(memoryFields), transcript: { expected: 'null', nullable: true } },
  },
  { name: 'transcript', schema: transcriptSchema, valid: transcript, fields: tableOf(partFields.Transcript) },
  { name: 'segment', schema: segmentSchema, valid: segment, fields: tableOf(partFields.Segment) },
  { name: 'summary', schema: summarySchema, valid: summary, fields: tableOf(partFields.Summary) },
  {
    name: 'error body',
    schema: errorBodySchema,
    valid: { detail: 'Memory not found' },
    fields: tableOf(errorBodyFields),
  },
  {
    name: 'memory record',
    schema: memoryRecordSchema,
    valid: record,
    fields: { ...tableOf(recordFields), media: { expected: 'object' } },
  },
];

const fields = objects.flatMap(({ fields, ...object }) =>
  Object.entries(fields).map(([field, { expected, nullable = false }]) => ({ ...object, field, expected, nullable })),
);

test.each(objects)(
  'accepts a $name with exactly the fields of the specification unchanged',
  ({ schema, valid, fields }) => {
    expect(Object.keys(valid).sort()).toEqual(Object.keys(fields).sort());
    expect(check(schema, valid)).toEqual({ value: valid });
  },
);

test.each(objects)('keeps unknown fields of a $name', ({ schema, valid }) => {
  const extended = { ...valid, invented_later: { deeply: [1, null] } };
  expect(check(schema, extended)).toEqual({ value: extended });
});

test.each(objects)('rejects a $name that is not an object', ({ schema }) => {
  for (const wrong of [null, undefined, [], secret, 7]) expect(messages(check(schema, wrong))).toHaveLength(1);
});

test.each(fields)('rejects a $name without $field', ({ schema, valid, field, expected }) => {
  const result = check(schema, { ...valid, [field]: undefined });
  const absent = Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field));
  expect(check(schema, absent)).toEqual(result);
  expect(result.issues).toEqual([{ message: `expected ${typeOf(expected)}, received nothing`, path: [field] }]);
});

test.each(fields)('$field of a $name can be null: $nullable', ({ schema, valid, field, expected, nullable }) => {
  const withNull = { ...valid, [field]: null };
  const refusal = { issues: [{ message: `expected ${typeOf(expected)}, received null`, path: [field] }] };
  expect(check(schema, withNull)).toEqual(nullable ? { value: withNull } : refusal);
});

test.each(fields)('rejects $field of a $name with another type', ({ schema, valid, field, expected }) => {
  for (const [type, wrong] of Object.entries(wrongValues(expected))) {
    const result = check(schema, { ...valid, [field]: wrong });
    expect(result.issues).toEqual([{ message: `expected ${typeOf(expected)}, received ${type}`, path: [field] }]);
  }
});

test.each(fields.filter(({ expected }) => expected.startsWith('an ')))(
  'rejects $field of a $name in another format, without repeating its value',
  ({ schema, valid, field, expected }) => {
    const result = check(schema, { ...valid, [field]: secret });
    expect(result.issues).toEqual([{ message: `expected ${expected}`, path: [field] }]);
  },
);

test('an issue in a nested field names the whole path', () => {
  const broken = { ...memory, transcript: { segments: [segment, { ...segment, text: 7 }] } };
  expect(check(memorySchema, broken).issues).toEqual([
    { message: 'expected string, received number', path: ['transcript', 'segments', 1, 'text'] },
  ]);
  expect(check(memoryListSchema, [{ ...memory, transcript: null }, broken]).issues).toEqual([
    { message: 'expected null, received object', path: [1, 'transcript'] },
  ]);
});

test('reports every issue, not only the first', () => {
  expect(check(memorySchema, {}).issues).toHaveLength(Object.keys(memoryFields).length);
});

test('accepts an empty list and rejects an object in its place', () => {
  expect(check(memoryListSchema, [])).toEqual({ value: [] });
  expect(messages(check(memoryListSchema, {}))).toEqual(['expected array, received object']);
});

test('keeps unknown fields at every depth', () => {
  const extended = { ...memory, transcript: { segments: [{ ...segment, confidence: 0.9 }], language: 'en' } };
  expect(check(memorySchema, extended)).toEqual({ value: extended });
  const extendedRecord = { ...record, media: { audio: { ...record.media.audio, codec: 'pcm' }, captions: {} } };
  expect(check(memoryRecordSchema, extendedRecord)).toEqual({ value: extendedRecord });
});

test.each([1.5, Number.NaN, 2 ** 53, '60'])('rejects a duration of %j', (duration) => {
  const [message] = messages(check(memorySchema, { ...memory, duration_seconds: duration }));
  expect(message).toMatch(/^expected (an )?integer/);
  expect(message).not.toContain(String(duration));
});

test.each(['https://media.example.com/a?b=c%20d', 'http://127.0.0.1:8787/a', 's3://bucket/key', 'https://例え.jp/'])(
  'accepts %s as a URI and keeps it unchanged',
  (audio_url) => {
    expect(check(memorySchema, { ...memory, audio_url })).toMatchObject({ value: { audio_url } });
  },
);

test.each([
  '/audio.wav',
  'media.example.com/a',
  '',
  ' https://a.example',
  'https://a.example/b c',
  'https://a.example/\n',
])('rejects %j as an absolute URI', (audio_url) => {
  expect(messages(check(memorySchema, { ...memory, audio_url }))).toEqual(['expected an absolute URI']);
});

test('a record needs no media, but each medium needs its key and its type', () => {
  expect(check(memoryRecordSchema, { ...record, media: {} }).issues).toBeUndefined();
  expect(check(memoryRecordSchema, { ...record, media: { video: {} } }).issues).toEqual([
    { message: 'expected string, received nothing', path: ['media', 'video', 'object_key'] },
    { message: 'expected string, received nothing', path: ['media', 'video', 'content_type'] },
  ]);
});

test('every schema is a standard schema of its type, and returns without a promise', () => {
  expectTypeOf(memorySchema).toExtend<StandardSchemaV1<unknown, Memory>>();
  expectTypeOf(listedMemorySchema).toExtend<StandardSchemaV1<unknown, ListedMemory>>();
  expectTypeOf(memoryListSchema).toExtend<StandardSchemaV1<unknown, ListedMemory[]>>();
  expectTypeOf(transcriptSchema).toExtend<StandardSchemaV1<unknown, Transcript>>();
  expectTypeOf(segmentSchema).toExtend<StandardSchemaV1<unknown, Segment>>();
  expectTypeOf(summarySchema).toExtend<StandardSchemaV1<unknown, Summary>>();
  expectTypeOf(errorBodySchema).toExtend<StandardSchemaV1<unknown, ErrorBody>>();
  expectTypeOf(memoryRecordSchema).toExtend<StandardSchemaV1<unknown, MemoryRecord>>();
  expectTypeOf(memorySchema['~standard'].validate).returns.not.toExtend<Promise<unknown>>();
  for (const { schema } of objects) expect(schema['~standard']).toMatchObject({ version: 1, vendor: 'memory-read' });
});

test('a misspelt field of a typed value does not compile', () => {
  // @ts-expect-error
  expect(memory.nmae).toBeUndefined();
  // @ts-expect-error
  expect(segment.start).toBeUndefined();
  // @ts-expect-error
  expect(summary.key_takeaway).toBeUndefined();
  // @ts-expect-error
  expect(record.user_id).toBeUndefined();
  // @ts-expect-error a listed memory has no transcript to read
  expect(() => (null as ListedMemory['transcript']).segments).toThrow(TypeError);
});

function check(schema: Schema<unknown>, value: unknown): StandardSchemaV1.Result<unknown> {
  return schema['~standard'].validate(value);
}

function messages(result: StandardSchemaV1.Result<unknown>): string[] {
  return (result.issues ?? []).map(({ message }) => message);
}

/** Returns the name of the field's JSON type in a message. */
function typeOf(expected: Expected): string {
  return expected.startsWith('an ') ? 'string' : expected;
}

/** Values of every other JSON type, by their names in a message. */
function wrongValues(expected: Expected): Record<string, unknown> {
  const values: Record<string, unknown> = { string: secret, number: 7, boolean: true, object: {}, array: [] };
  delete values[expected === 'integer' ? 'number' : typeOf(expected)];
  return values;
}
