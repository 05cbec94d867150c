import { runInNewContext } from 'node:vm';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { renameSpeakers } from './rename-speakers.ts';
import { speakers } from './speakers.ts';

const labels = (memory: Parameters<typeof speakers>[0]) => speakers(memory).map(({ speaker }) => speaker);

test('names come from a record or a map, and labels without a name stay', () => {
  const memory = sampleTranscript([1, 2, 'a'], [2, 3, 'b', 'Speaker 2'], [3, 4, 'c', '']);
  expect(labels(renameSpeakers(memory, { 'Speaker 1': 'Ada' }))).toEqual(['Ada', 'Speaker 2', '']);
  expect(labels(renameSpeakers(memory, new Map([['', 'Grace']])))).toEqual(['Speaker 1', 'Speaker 2', 'Grace']);
});

test('a map of another realm is a map, and a label may be called get', () => {
  const memory = sampleTranscript([1, 2, 'a', 'get']);
  const foreign: Map<string, string> = runInNewContext("new Map([['get', 'Ada']])");
  expect(foreign instanceof Map).toBe(false);
  expect(labels(renameSpeakers(memory, foreign))).toEqual(['Ada']);
  expect(labels(renameSpeakers(memory, { get: 'Grace' }))).toEqual(['Grace']);
});

test('names can be swapped, and two labels can become one', () => {
  const memory = sampleTranscript([1, 2, 'a', 'A'], [2, 3, 'b', 'B']);
  expect(labels(renameSpeakers(memory, { A: 'B', B: 'A' }))).toEqual(['B', 'A']);
  expect(labels(renameSpeakers(memory, { A: 'Ada', B: 'Ada' }))).toEqual(['Ada']);
});

test('the memory stays as it is, and all else of it is in the copy', () => {
  const segment = { speaker: 'A', start_at: '', end_at: '', text: 'a', confidence: 0.5 };
  const memory = sampleMemory({ transcript: { segments: [segment], language: 'en' } });
  const before = structuredClone(memory);
  const renamed = renameSpeakers(memory, { A: 'Ada' });
  expect(memory).toEqual(before);
  expect(renamed).toEqual({ ...before, transcript: { segments: [{ ...segment, speaker: 'Ada' }], language: 'en' } });
});

test('a null transcript stays null', () => {
  const memory = sampleMemory({ transcript: null });
  expect(renameSpeakers(memory, { A: 'Ada' })).toEqual(memory);
});

test('labels that name properties of every object find only names given for them', () => {
  const memory = sampleTranscript([1, 2, '', '__proto__'], [2, 3, '', 'constructor'], [3, 4, '', 'toString']);
  expect(labels(renameSpeakers(memory, {}))).toEqual(['__proto__', 'constructor', 'toString']);
  const names = JSON.parse('{"__proto__":"Ada","constructor":"Grace"}');
  expect(labels(renameSpeakers(memory, names))).toEqual(['Ada', 'Grace', 'toString']);
  expect(labels(renameSpeakers(memory, new Map([['__proto__', 'Ada']])))).toEqual(['Ada', 'constructor', 'toString']);
});
