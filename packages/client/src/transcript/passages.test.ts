import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranscript, sampleTranscript } from '../testing/sample-transcript.ts';
import { joinTexts } from './join-texts.ts';
import { passages } from './passages.ts';
import type { TranscriptSource } from './transcript-source.ts';

test('consecutive segments of one label are one passage, in the stored order', () => {
  const memory = sampleTranscript(
    [4, 5, '来週の\tプロ', 'Ada'],
    [1, 2, ' ', 'Ada'],
    [2, 3, 'ジェクト', 'Ada'],
    [6, 7, 'Yes.', ''],
    [7, 8, 'No.', ' '],
    [8, 9, 'So.', 'ada'],
  );
  expect(passages(memory)).toEqual([
    {
      speaker: 'Ada',
      text: '来週の プロジェクト',
      segments: { first: 0, last: 2 },
      starts: [0, 6, 6],
      offsets: [4000, 1000, 2000],
    },
    { speaker: '', text: 'Yes. No.', segments: { first: 3, last: 4 }, starts: [0, 5], offsets: [6000, 7000] },
    { speaker: 'ada', text: 'So.', segments: { first: 5, last: 5 }, starts: [0], offsets: [8000] },
  ]);
});

test('passages hold each segment of any transcript once, at its start in the text', () => {
  fc.assert(
    fc.property(anyTranscript, (memory) => {
      const segments = memory.transcript?.segments ?? [];
      let next = 0;
      for (const { speaker, text, segments: own, starts, offsets } of passages(memory)) {
        expect(own.first).toBe(next);
        next = own.last + 1;
        expect(starts).toHaveLength(next - own.first);
        expect(offsets).toHaveLength(starts.length);
        for (const [index, start] of starts.entries()) {
          const segment = segments[own.first + index];
          expect(segment?.speaker.trim() && segment.speaker).toBe(speaker.trim() && speaker);
          const words = joinTexts([segment?.text ?? '']).replace(/\s+/g, ' ');
          expect(text.startsWith(words, start)).toBe(true);
        }
      }
      expect(next).toBe(segments.length);
    }),
  );
});

test('reads what was not validated as far as it can', () => {
  const segments = [null, { speaker: 'Ada', text: 7 }, { speaker: 'Ada', text: 'Hm.' }];
  const memory = { started_at: 'soon', transcript: { segments } } as unknown as TranscriptSource;
  expect(passages(memory).map(({ speaker, text }) => [speaker, text])).toEqual([
    ['', ''],
    ['Ada', 'Hm.'],
  ]);
  expect(passages({ started_at: '', transcript: null })).toEqual([]);
});
