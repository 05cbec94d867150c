import type { ListedMemory } from '@memory-read/client';
import { memoryFields } from '@memory-read/contract/fields';
import { expect, test } from 'vitest';
import { summary } from '../testing/create-account.ts';
import { memoryRecord } from '../testing/memory-lines.ts';
import { memoryState, recordingState } from './memory-state.ts';

const { media: _, ...fields } = memoryRecord({ summary, transcript: null });
const urls = { audio_url: 'https://media.example.com/1', video_url: null, preview_image_url: null };
const memory = { ...fields, ...urls, user_id: 'user_1', transcript: null } as ListedMemory;

test('returns the states that earlier versions stored', () => {
  expect(memoryState(memory)).toBe('f86ee8c70ab1186df5761a41e8511613');
  expect(recordingState(memory)).toBe('9b77346fabfd2620a54b6a8c9c125706');
});

test.each<[string, Partial<ListedMemory>]>([
  ['another name', { name: 'Another name' }],
  ['another start', { started_at: '2026-03-01T07:59:00.000Z' }],
  ['processing again', { is_processing: true }],
  ['another summary', { summary: { ...summary, key_takeaways: [] } }],
  ['no summary', { summary: null }],
  ['a video', { video_url: 'https://media.example.com/2' }],
])('%s is another state', (_title, change) => {
  expect(memoryState({ ...memory, ...change })).not.toBe(memoryState(memory));
});

test('returns the same state for another URL, another notation of a time, and unknown fields', () => {
  const same = {
    ...memory,
    audio_url: 'https://media.example.com/3',
    started_at: memory.started_at.replace('Z', '+00:00'),
    summary: { mood: 'good', ...summary },
    mood: 'good',
  };
  expect(memoryState(same)).toBe(memoryState(memory));
});

test('includes a field that is added later only while it has a value', () => {
  const row = { type: 'string', nullable: true, from: 'record', watched: 'value', addedIn: '1.1.0' } as const;
  const { id, ...others } = memoryFields;
  const rows = { id, weather: row, ...others };
  const under = (weather: string | null) => memoryState({ ...memory, weather } as ListedMemory, rows);
  expect(memoryState(memory, rows)).toBe(memoryState(memory));
  expect(under(null)).toBe(memoryState(memory));
  expect(new Set([under(null), under('rain'), under('snow')]).size).toBe(3);
});
