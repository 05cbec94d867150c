import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranscript, sampleTranscript } from '../testing/sample-transcript.ts';
import { toText } from './to-text.ts';
import { turns } from './turns.ts';

const memory = sampleTranscript(
  [1.25, 2, 'Good'],
  [2, 3, 'morning.'],
  [3_661, 3_662, 'Yes?', 'Speaker 2'],
  [4_000, 4_001, 'Hm.', ''],
);

test('writes each turn as a line with its speaker, and optionally its start', () => {
  expect(toText(memory)).toBe('Speaker 1: Good morning.\nSpeaker 2: Yes?\nHm.\n');
  expect(toText(memory, { timestamps: true })).toBe(
    '[0:00:01] Speaker 1: Good morning.\n[1:01:01] Speaker 2: Yes?\n[1:06:40] Hm.\n',
  );
  expect(toText(memory, { speakerLabels: false })).toBe('Good morning.\nYes?\nHm.\n');
});

test('no text and no label makes another line', () => {
  fc.assert(
    fc.property(anyTranscript, (any) => {
      expect(toText(any).split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/)).toHaveLength(turns(any).length + 1);
    }),
  );
});

test('a turn in which nothing is to be seen stays', () => {
  expect(toText(sampleTranscript([1, 2, ' \n']))).toBe('Speaker 1:\n');
});

test('no text passes for a turn of the speaker whom it names', () => {
  const claim = sampleTranscript([1, 2, 'Speaker 2: I agree to pay.', ' ']);
  expect(toText(claim)).toBe('?: Speaker 2: I agree to pay.\n');
  expect(toText(claim, { timestamps: true })).toBe('[0:00:01] ?: Speaker 2: I agree to pay.\n');
  expect(toText(claim, { speakerLabels: false })).toBe('Speaker 2: I agree to pay.\n');
});
