import type { MemoryRecord } from '@memory-read/contract';
import { expect, test } from 'vitest';
import { createRecord, createTranscript } from '../testing/test-records.ts';
import { InvalidMemoryRecordError } from './invalid-memory-record-error.ts';
import { toProcessedFields } from './to-processed-fields.ts';
import { toStoredMemory } from './to-stored-memory.ts';

const anySummary = { quick_summary: 'Short', key_takeaways: [] };

test('a record becomes a row of its account, with transcript and summary as text', () => {
  const media = { audio: { object_key: 'ada/one.wav', content_type: 'audio/wav' }, video: undefined };
  const record = createRecord({
    id: 'one',
    started_at: '2026-03-01T10:00:00.5+01:00',
    ended_at: '2026-03-01T09:30',
    media,
  });
  const { transcript: _transcript, summary: _summary, ...fields } = record;
  expect(toStoredMemory('ada', record)).toEqual({
    ...fields,
    user_id: 'ada',
    started_at: '2026-03-01T09:00:00.500Z',
    ended_at: '2026-03-01T09:30:00.000Z',
    media: { audio: { object_key: 'ada/one.wav', content_type: 'audio/wav' } },
    summaryJson: JSON.stringify(record.summary),
    transcriptJson: JSON.stringify(record.transcript),
  });
});

test('sorts segments by their start, and keeps the order of equal starts', () => {
  const record = createRecord({ id: 'one', started_at: '2026-03-01T09:00', transcript: createUnorderedTranscript() });
  const before = structuredClone(record);
  const { transcriptJson } = toStoredMemory('ada', record);
  expect(record).toEqual(before);
  const { segments } = JSON.parse(String(transcriptJson));
  expect(segments.map(({ text, start_at }: { text: string; start_at: string }) => [text, start_at])).toEqual([
    ['first', '2026-03-01T08:00:00.000Z'],
    ['second', '2026-03-01T09:00:00.000Z'],
    ['third', '2026-03-01T09:00:00.000Z'],
  ]);
});

test('unknown fields of transcript, segments and summary are kept', () => {
  const transcript = { segments: [{ ...createTranscript('Hello').segments[0], confidence: 0.5 }], language: 'en' };
  const summary = { quick_summary: 'Short', key_takeaways: [], mood: { calm: true } };
  const stored = toStoredMemory('ada', createRecord({ id: 'one', transcript, summary } as never));
  expect(JSON.parse(String(stored.transcriptJson))).toEqual(transcript);
  expect(JSON.parse(stored.summaryJson ?? '')).toEqual(summary);
});

test('writes text that not every store accepts as JSON escapes in transcript and summary', () => {
  const summary = { quick_summary: '\0\ud800', key_takeaways: [] };
  const stored = toStoredMemory('ada', createRecord({ id: 'one', transcript: createTranscript('\udfff'), summary }));
  expect(stored.summaryJson).toContain('\\u0000\\ud800');
  expect(stored.transcriptJson).toContain('\\udfff');
});

test.each(['audio/wav', 'AUDIO/WAV', 'audio/webm; codecs=opus', 'audio/webm;codecs="opus, vorbis"', 'video/mp4'])(
  '%s is an audio type',
  (content_type) => {
    const record = createRecord({ id: 'one', media: { audio: { object_key: 'a', content_type } } });
    expect(toStoredMemory('ada', record).media.audio?.content_type).toBe(content_type);
  },
);

test.each<[string, Partial<MemoryRecord>]>([
  ['id is empty', { id: '' }],
  ['id is a dot segment, which URLs cannot contain', { id: '..' }],
  ['id contains a control character', { id: 'a\u0085b' }],
  ['id is not well-formed Unicode', { id: '\ud800' }],
  ['id is longer than 256 characters', { id: '😀'.repeat(257) }],
  ['name contains the character U+0000', { name: 'a\0' }],
  ['name is not well-formed Unicode', { name: '\udc00' }],
  ['name expected string, received number', { name: 1 as never }],
  ['started_at expected an ISO 8601 date-time', { started_at: '2026-02-30T00:00:00Z' }],
  ['ended_at is 9999-12-31T23:59:59-01:00, which is outside the years', { ended_at: '9999-12-31T23:59:59-01:00' }],
  ['transcript.segments[0].start_at is 0000-01-01T00:00:00+01:00', withSegmentStart('0000-01-01T00:00:00+01:00')],
  ['transcript.segments[0].start_at expected an ISO 8601 date-time', withSegmentStart('soon')],
  ['duration_seconds', { duration_seconds: 1.5 }],
  ['duration_seconds', { duration_seconds: 2 ** 53 }],
  ['duration_seconds is negative', { duration_seconds: -1 }],
  ['duration is an unknown field', { duration: 1 } as never],
  ['constructor is an unknown field', { constructor: 1 } as never],
  ['user_id is not stored: pass the account beside the record', { user_id: 'ada' } as never],
  ['audio_url is not stored: name the object in media.audio', { audio_url: null } as never],
  ['media.image is an unknown field', { media: { image: {} } as never }],
  ['media.audio.size is an unknown field', withAudio({ size: 1 })],
  ['media.audio.object_key is empty', withAudio({ object_key: '' })],
  ['media.audio.object_key contains a . or .. segment', withAudio({ object_key: 'a/../b' })],
  ['media.audio.object_key is longer than 1024 bytes of UTF-8', withAudio({ object_key: 'a'.repeat(1025) })],
  ['media.audio.object_key is longer than 1024 bytes of UTF-8', withAudio({ object_key: `${'€'.repeat(341)}ab` })],
  ['summary cannot be written as JSON', withSummary({ count: 1n })],
  ['summary cannot be written as JSON', withSummary({ toJSON: () => undefined })],
  ['summary expected object, received string', withSummary({ toJSON: () => 'another one' })],
  ['summary.quick_summary expected string, received nothing', { summary: Object.create(anySummary) }],
  ['media.audio.object_key contains the character U+0000', withAudio({ object_key: 'a\0' })],
  ['media.audio.content_type is not an audio type', withAudio({ content_type: 'text/html' })],
  ['media.audio.content_type is not an audio type', withAudio({ content_type: 'audio/' })],
  ['media.audio.content_type is not an audio type', withAudio({ content_type: 'audio/wav\r\nSet-Cookie: a=b' })],
  ['media.audio.content_type is not an audio type', withAudio({ content_type: 'audio/wav; codecs="\u00e9"' })],
  ['media.audio.content_type is not an audio type', withAudio({ content_type: 'audio/wav, text/html' })],
  [
    'media.video.content_type is not a video type',
    { media: { video: { object_key: 'a', content_type: 'audio/wav' } } },
  ],
  ['media.preview_image.content_type is not a raster image type', withPreview('image/svg+xml')],
  ['media.preview_image.content_type is not a raster image type', withPreview('IMAGE/SVG')],
  ['media.preview_image.content_type is not a raster image type', withPreview('image/anything+xml; a=b')],
])('rejects a record because %s', (reason, fields) => {
  expect(() => toStoredMemory('ada', { ...createRecord({ id: 'one' }), ...fields })).toThrow(`: ${reason}`);
});

test('describes a record with very many problems in words too', () => {
  const { transcript } = withSegmentStart('0000-01-01T00:00:00+01:00');
  const segments = Array.from({ length: 200_000 }, () => transcript?.segments[0]);
  const record = { ...createRecord({ id: 'one' }), transcript: { segments } } as MemoryRecord;
  expect(() => toStoredMemory('ada', record)).toThrow(InvalidMemoryRecordError);
  expect(() => toProcessedFields('one', { ...record, summary: null })).toThrow(InvalidMemoryRecordError);
});

test('an object key may have 1,024 bytes', () => {
  for (const object_key of ['a'.repeat(1024), `${'€'.repeat(341)}a`]) {
    const { media } = toStoredMemory('ada', { ...createRecord({ id: 'one' }), ...withAudio({ object_key }) });
    expect(media.audio?.object_key).toBe(object_key);
  }
});

test('a user id follows the rules of ids', () => {
  expect(() => toStoredMemory('a\nb', createRecord({ id: 'one' }))).toThrow('user_id contains a control character');
});

test('the error names every issue, shows the first three, and says what to do', () => {
  const media = { audio: { object_key: '', content_type: '' } };
  const refuse = () => toStoredMemory('', createRecord({ id: 'one', name: '\0', media }));
  expect(refuse).toThrow(InvalidMemoryRecordError);
  expect(refuse).toThrow(
    'Failed to store memory "one": name contains the character U+0000, media.audio.object_key is empty, ' +
      'media.audio.content_type is not an audio type such as audio/wav and 1 more. ' +
      'Correct the record and store it again.',
  );
  expect(
    new InvalidMemoryRecordError(undefined, [{ path: '', message: 'expected object, received null' }]).message,
  ).toBe('Failed to store a memory: expected object, received null. Correct the record and store it again.');
});

test('rejects a value that is not a record with the same error', () => {
  for (const value of [null, undefined, 1, 'text', []]) {
    expect(() => toStoredMemory('ada', value as never)).toThrow(InvalidMemoryRecordError);
  }
});

function createUnorderedTranscript() {
  const times = { speaker: 'Speaker 1', end_at: '2026-03-01T10:00:00Z' };
  return {
    segments: [
      { ...times, text: 'second', start_at: '2026-03-01T09:00:00.0009Z' },
      { ...times, text: 'third', start_at: '2026-03-01T10:00:00+01:00' },
      { ...times, text: 'first', start_at: '2026-03-01T08:00:00Z' },
    ],
  };
}

function withSummary(fields: object): Partial<MemoryRecord> {
  return { summary: { ...anySummary, ...fields } };
}

function withSegmentStart(start_at: string): Partial<MemoryRecord> {
  const segment = { speaker: 'Speaker 1', start_at, end_at: '2026-03-01T10:00:00Z', text: '' };
  return { transcript: { segments: [segment] } };
}

function withAudio(fields: object): Partial<MemoryRecord> {
  return { media: { audio: { object_key: 'a', content_type: 'audio/wav', ...fields } } };
}

function withPreview(content_type: string): Partial<MemoryRecord> {
  return { media: { preview_image: { object_key: 'a', content_type } } };
}
