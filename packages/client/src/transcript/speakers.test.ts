import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { speakers } from './speakers.ts';

test('each label comes once, in the order in which they are heard, with what is said under it', () => {
  const memory = sampleTranscript([5, 6, ''], [1, 3.5, '', 'Speaker 2'], [2, 3, ''], [7, 7, '', '']);
  expect(speakers(memory)).toEqual([
    { speaker: 'Speaker 2', segments: 1, duration: 2500 },
    { speaker: 'Speaker 1', segments: 2, duration: 2000 },
    { speaker: '', segments: 1, duration: 1 },
  ]);
  expect(speakers({ ...memory, transcript: null })).toEqual([]);
});

test('labels that name properties of every object are labels like others', () => {
  const memory = sampleTranscript([1, 2, '', '__proto__'], [2, 3, '', 'constructor'], [3, 4, '', '__proto__']);
  expect(speakers(memory).map(({ speaker, segments }) => [speaker, segments])).toEqual([
    ['__proto__', 2],
    ['constructor', 1],
  ]);
});
