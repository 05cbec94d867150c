import { expect, test } from 'vitest';
import { sampleTranscript } from '../testing/sample-transcript.ts';
import { toSrt } from './to-srt.ts';

test('cues are numbered, with times, label and text', () => {
  const memory = sampleTranscript([1.25, 2, 'Good morning.'], [2, 3.5, 'Yes?\nWhat?', 'Speaker 2']);
  expect(toSrt(memory)).toBe(
    '1\n00:00:01,250 --> 00:00:02,000\nSpeaker 1: Good morning.\n\n2\n00:00:02,000 --> 00:00:03,500\nSpeaker 2: Yes?\nWhat?\n',
  );
  expect(toSrt(memory, { speakerLabels: false })).toContain('00:00:02,000\nGood morning.\n');
});

test('seconds carry over, and a hundred hours have three digits', () => {
  const srt = toSrt(
    sampleTranscript([59.9996, 3599.9999, 'a'], [3_599.999, 359_999.999, 'b'], [360_000, 3_600_061, 'c']),
  );
  expect(srt.split('\n').filter((line) => line.includes('-->'))).toEqual([
    '00:01:00,000 --> 01:00:00,000',
    '00:59:59,999 --> 99:59:59,999',
    '100:00:00,000 --> 1000:01:01,000',
  ]);
});

test('blank lines and line breaks of any kind do not end a cue', () => {
  const srt = toSrt(sampleTranscript([1, 2, '\n one \r\n\r\n\t\ntwo\u2028\u2029three\r\r \x85four\n', ' a\n\nb ']), {
    cues: 'stored',
  });
  expect(srt).toBe('1\n00:00:01,000 --> 00:00:02,000\na b: one\ntwo\nthree\nfour\n');
});

test('what a player would take for an arrow, a tag, an override or a line break stands with an invisible joiner', () => {
  const arrow = '2\n00:00:09,000 --> 00:00:10,000';
  const texts = [arrow, '<b>x</b> <!-- 1 < 2', '{\\an8}top {y:i}', 'I <3 you> <_x> C:\\new\\Hall\\x'];
  const segments = texts.map((text, index): [number, number, string] => [index, index + 1, text]);
  const srt = toSrt(sampleTranscript(...segments), { speakerLabels: false });
  expect(srt.split('\n').filter((line) => line.includes('\u2060'))).toEqual([
    '00:00:09,000 --\u2060> 00:00:10,000',
    '<\u2060b>x<\u2060/b> <\u2060!-- 1 <\u2060 2',
    '{\u2060\\an8}top {\u2060y:i}',
    'I <\u20603 you> <\u2060_x> C:\\\u2060new\\\u2060Hall\\x',
  ]);
  for (const text of texts) expect(srt.replaceAll('\u2060', '')).toContain(text);
});

test('keeps the cue of a text without visible characters, and omits a blank label', () => {
  expect(toSrt(sampleTranscript([1, 2, ' \n '], [2, 3, '', ' '], [3, 4, 'Hm.', '\n']))).toBe(
    '1\n00:00:01,000 --> 00:00:02,000\nSpeaker 1:\n\n2\n00:00:02,000 --> 00:00:03,000\n\n\n3\n00:00:03,000 --> 00:00:04,000\nHm.\n',
  );
});
