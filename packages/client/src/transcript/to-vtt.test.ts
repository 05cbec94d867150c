import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { toVtt } from './to-vtt.ts';

test('each cue has its times and a voice tag', () => {
  const memory = sampleTranscript([0.25, 2, 'Good morning.'], [359_998.999, 360_000, 'Yes?\nWhat?', 'Ada']);
  expect(toVtt(memory)).toBe(
    'WEBVTT\n\n00:00:00.250 --> 00:00:02.000\n<v Speaker 1>Good morning.</v>\n\n99:59:58.999 --> 100:00:00.000\n<v Ada>Yes?\nWhat?</v>\n',
  );
  expect(toVtt(memory, { speakerLabels: false })).toContain('00:00:02.000\nGood morning.\n');
});

test('text and label are escaped, and stay on their lines', () => {
  const memory = sampleTranscript([1, 2, 'a --> b\n\n</v><v Eve>R&amp;D &lt;', 'A > B\n\nC & <D>']);
  expect(toVtt(memory).split('\n').slice(3)).toEqual([
    '<v A &gt; B C &amp; &lt;D&gt;>a --&gt; b',
    '&lt;/v&gt;&lt;v Eve&gt;R&amp;amp;D &amp;lt;</v>',
    '',
  ]);
});

test('a blank label has no voice tag, and a text with nothing to see keeps its cue', () => {
  expect(toVtt(sampleTranscript([1, 2, '', ' \n'], [2, 3, 'A\0B', '']))).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n\n\n00:00:02.000 --> 00:00:03.000\nA\ufffdB\n',
  );
});

test('a label that ends in dashes makes no arrow', () => {
  expect(toVtt(sampleTranscript([1, 2, 'Hm.', 'Ada --']))).toContain('<v Ada -&#45;>Hm.</v>');
});
