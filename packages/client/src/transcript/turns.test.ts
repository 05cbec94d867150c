import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranscript, sampleTranscript } from '../testing/sample-transcript.ts';
import { normalizeTranscript } from './normalize-transcript.ts';
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

test('the turns of any transcript hold each of its cues once, in order', () => {
  fc.assert(
    fc.property(anyTranscript, (memory) => {
      const found = turns(memory);
      expect(found.flatMap(({ cues }) => cues)).toEqual(normalizeTranscript(memory).cues);
      for (const [index, { speaker, start, end, cues }] of found.entries()) {
        expect(cues.every((cue) => cue.speaker === speaker && cue.end <= end)).toBe(true);
        expect(start).toBe(cues[0]?.start);
        if (speaker.trim() !== '') expect(found[index + 1]?.speaker).not.toBe(speaker);
      }
    }),
  );
});
