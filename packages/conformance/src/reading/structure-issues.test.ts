import { expect, test } from 'vitest';
import { sampleMemory } from '../stub-api.test-support.ts';
import { structureIssues } from './structure-issues.ts';

const speech = { speaker: 'Speaker 1', start_at: '2026-03-02T08:00:01Z', end_at: '2026-03-02T08:00:02Z', text: '' };

test.each([
  ['2.1', { name: undefined }, 'name'],
  ['2.1 name', { name: null }, 'name expected string, received null'],
  ['2.1 audio_url', { audio_url: 'a.wav' }, 'audio_url expected an absolute URI or null'],
  ['2.1 video_url', { video_url: 7 }, 'video_url expected string or null, received number'],
  ['2.1 transcript', { transcript: [] }, 'transcript expected object or null, received array'],
  ['2.2 segments', { transcript: {} }, 'transcript.segments'],
  ['2.2 segments', { transcript: { segments: [null] } }, 'transcript.segments.0 expected object, received null'],
  ['2.3', { transcript: { segments: [speech, { ...speech, text: undefined }] } }, 'transcript.segments.1.text'],
  ['2.3 text', { transcript: { segments: [{ ...speech, text: 1 }] } }, 'transcript.segments.0.text expected string'],
  ['2.4', { summary: { quick_summary: '' } }, 'summary.key_takeaways'],
  ['2.4 key_takeaways', { summary: { quick_summary: '', key_takeaways: [1] } }, 'summary.key_takeaways.0'],
])('statement %s has something against %j', (statement, changes, text) => {
  const memory = JSON.parse(JSON.stringify({ ...sampleMemory, ...changes }));
  expect(structureIssues(memory)).toEqual([{ statement, text: expect.stringContaining(text) }]);
});

test('a memory as specified has no issues, unknown fields included', () => {
  expect(structureIssues({ ...sampleMemory, mood: 'good' })).toEqual([]);
});
