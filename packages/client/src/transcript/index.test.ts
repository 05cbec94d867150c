import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { speakers, toMarkdown, toSrt, toText, toVtt, turns } from './index.ts';

test('a hundred thousand segments are no more than a long transcript', () => {
  const segments = Array.from({ length: 100_000 }, (_, second) => second);
  const memory = sampleTranscript(...segments.map((second): [number, number, string] => [second, second + 1, 'Hm.\n']));
  expect(toSrt(memory).split('\n\n')).toHaveLength(100_000);
  expect(toVtt(memory).split('\n\n')).toHaveLength(100_001);
  expect(turns(memory)).toMatchObject([{ start: 0, end: 100_000_000 }]);
  expect(toText(memory)).toHaveLength('Speaker 1:'.length + 100_000 * ' Hm.'.length + 1);
  expect(toMarkdown(memory)).toHaveLength('**Speaker 1:**'.length + 100_000 * ' Hm.'.length + 1);
  expect(speakers(memory)).toEqual([{ speaker: 'Speaker 1', segments: 100_000, duration: 100_000_000 }]);
});

test('a null transcript is an empty text, with the signature in WebVTT', () => {
  const memory = { ...sampleTranscript(), transcript: null };
  expect([toMarkdown, toSrt, toText, toVtt].map((format) => format(memory))).toEqual(['', '', '', 'WEBVTT\n']);
});
