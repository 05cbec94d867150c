import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { turns } from './turns.ts';

test('neighbouring segments of one speaker are one turn, in order of start', () => {
  const memory = sampleTranscript([4, 5, 'Yes.', 'Speaker 2'], [1, 9, ' Good\n'], [2, 3, ' morning.'], [6, 7, 'Well.']);
  const found = turns(memory);
  expect(found.map(({ speaker, start, end, text }) => [speaker, start, end, text])).toEqual([
    ['Speaker 1', 1000, 9000, 'Good morning.'],
    ['Speaker 2', 4000, 5000, 'Yes.'],
    ['Speaker 1', 6000, 7000, 'Well.'],
  ]);
  expect(found.map(({ cues }) => cues.map(({ segment }) => segment))).toEqual([[1, 2], [0], [3]]);
});

test('labels are compared as stored, and a blank one merges with nothing', () => {
  const labels = ['Ada', 'ada', 'Ada ', '', '', ' ', ' ', 'Unknown', 'Unknown', '__proto__', '__proto__'];
  const memory = sampleTranscript(
    ...labels.map((label, index): [number, number, string, string] => [index, index + 1, '', label]),
  );
  const merged = ['Ada', 'ada', 'Ada ', '', '', ' ', ' ', 'Unknown', '__proto__'];
  expect(turns(memory).map(({ speaker }) => speaker)).toEqual(merged);
});
