import { expect, test } from 'vitest';
import type { ListedMemory } from './memory.ts';
import { comparable, memoryState, recordingState } from './memory-state.ts';

// A field that is added later needs no edit here.
const memory = {
  id: 'mem_1',
  name: 'Stand-up',
  started_at: '2026-08-20T10:00:00.000Z',
  ended_at: '2026-08-20T10:15:00.000Z',
  is_processing: false,
  user_id: 'user_1',
  duration_seconds: 900,
  audio_url: 'https://media.example.com/a.wav?signature=1',
  video_url: null,
  preview_image_url: null,
  transcript: null,
  summary: { quick_summary: 'We met.', key_takeaways: ['All is well.'] },
} as Partial<ListedMemory> as ListedMemory;
const { summary, ...rest } = memory;

test.each<[string, Record<string, unknown>]>([
  ['times without a fraction', { started_at: '2026-08-20T10:00:00Z', ended_at: '2026-08-20T10:15Z' }],
  ['times with more digits', { started_at: '2026-08-20T10:00:00.000000Z' }],
  ['times with a comma', { ended_at: '2026-08-20T10:15:00,000Z' }],
  ['times with the offset +00:00', { started_at: '2026-08-20T10:00:00.000+00:00' }],
  ['times of another offset', { started_at: '2026-08-20T12:00:00.000+0200', ended_at: '2026-08-20T05:15:00-05' }],
  ['times without an offset, which are UTC', { started_at: '2026-08-20T10:00:00' }],
  ['a signed URL of another response', { audio_url: 'https://cdn.example.com/b.wav?signature=2' }],
  ['an absent URL', { video_url: undefined, preview_image_url: undefined }],
  ['unknown fields', { mood: 'good', summary: { mood: 'good', ...summary } }],
  ['another order of the fields', { summary: { key_takeaways: summary?.key_takeaways, quick_summary: 'We met.' } }],
])('%s are the same state and the same recording', (_name, changes) => {
  expect(memoryState({ ...memory, ...changes } as typeof memory)).toEqual(memoryState(memory));
  expect(recordingState({ ...memory, ...changes } as typeof memory)).toBe(recordingState(memory));
});

test('another order and another spelling of the numbers in the JSON are the same state', () => {
  const text = JSON.stringify({ summary, ...rest }).replace('"duration_seconds":900', '"duration_seconds":9.00e2');
  expect(memoryState(JSON.parse(text))).toEqual(memoryState(memory));
  const [minus, zero] = ['-0', '0.0'].map((number) => JSON.parse(text.replace('9.00e2', number)));
  expect(JSON.stringify(memoryState(minus))).toBe(JSON.stringify(memoryState(zero)));
  expect(recordingState(minus)).toBe(recordingState(zero));
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['name', { name: 'stand-up' }, false],
  ['started_at', { started_at: '2026-08-20T10:00:00.001Z' }, true],
  ['ended_at', { ended_at: '2026-08-20T10:15:00.000+01:00' }, true],
  ['started_at', { started_at: 'yesterday' }, true],
  ['duration_seconds', { duration_seconds: 900.5 }, true],
  ['is_processing', { is_processing: true }, false],
  ['audio_url', { audio_url: null }, false],
  ['summary', { summary: null }, false],
  ['summary', { summary: { ...summary, key_takeaways: ['All', 'is well.'] } }, false],
])('another %s is another state', (field, changes, isOtherRecording) => {
  const changed = { ...memory, ...changes } as typeof memory;
  const before = new Map(memoryState(memory));
  const differing = memoryState(changed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  expect(differing.map(([name]) => name)).toEqual([field]);
  expect(recordingState(changed) !== recordingState(memory)).toBe(isOtherRecording);
});

test('the objects of a list are compared one by one', () => {
  const segment = { speaker: 'Ada', start_at: '2026-08-20T10:00:00Z', end_at: '2026-08-20T10:00:01Z', text: 'Hi.' };
  const { text, ...others } = segment;
  const spelled = { text, ...others, end_at: '2026-08-20T12:00:01+02:00', confidence: 1 };
  expect(comparable([spelled], 'Segment[]')).toEqual(comparable([segment], 'Segment[]'));
  expect(comparable([segment, segment], 'Segment[]')).not.toEqual(comparable([segment], 'Segment[]'));
});
