import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranscript, sampleTranscript } from '../testing/sample-transcript.ts';
import { normalizeTranscript, toSrt, toVtt } from './index.ts';
import type { SubtitleOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { visibleLines } from './visible-lines.ts';

interface Shown {
  start: number;
  end: number;
  lines: string[];
}

/** The cues that a reader of SubRip finds. */
function shown(memory: TranscriptSource, options?: SubtitleOptions): Shown[] {
  const blocks = toSrt(memory, options).split(/(?<=\n)\n(?=\d+\n\S+ --> )/);
  return blocks.filter(Boolean).map((block) => {
    const [, times = '', ...lines] = block.replaceAll('\u2060', '').trimEnd().split('\n');
    const [start, end] = times.split(' --> ').map(milliseconds);
    return { start: start as number, end: end as number, lines };
  });
}

function milliseconds(time: string): number {
  const [hours, minutes, seconds] = time.replace(',', '.').split(':').map(Number) as [number, number, number];
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const charactersOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);
/** Characters in order, without the white space that a line break replaces. */
const seen = (lines: string[]) =>
  lines
    .flatMap(charactersOf)
    .map((one) => one.trim())
    .filter(Boolean);
const withoutSpaces = (text: string) => text.replace(/\s/g, '');

/** Listed by script and emoji, as a second opinion on the blocks of the source; but for narrow forms. */
const wide =
  /(?![\u1160-\u11ff\ud7b0-\ud7ff\uff61-\uffdc])(?:\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Hang}|[\u3000-\u303e]|[\uff01-\uff60]|\p{EPres}|\ufe0f)/u;
const columnsOf = (text: string) => charactersOf(text).reduce((sum, one) => sum + (wide.test(one) ? 2 : 1), 0);

const sentence = 'The quick brown fox jumps over the lazy dog, and then it sleeps.';
const speech = Array.from({ length: 19 }, (_, index) => `${index + 1}. ${sentence}`).join(' ');

test('a long segment is shown sentence by sentence, in two lines of at most 42 columns, for at most 7 s', () => {
  const cues = shown(sampleTranscript([0, 95, speech]));
  for (const { start, end, lines } of cues) {
    expect(end - start).toBeLessThanOrEqual(7_000);
    expect(end - start).toBeGreaterThanOrEqual(1_000);
    expect(lines.length).toBeLessThanOrEqual(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
    expect(lines[0]).toMatch(/^Speaker 1: \d+\. /);
    expect(lines.at(-1)).toMatch(/sleeps\.$/);
  }
  expect(cues).toHaveLength(19);
  expect(cues[0]?.start).toBe(0);
  expect(cues.at(-1)?.end).toBe(95_000);
});

test('a sentence that is too long is split at words, in parts of about one length', () => {
  const text = Array.from({ length: 40 }, (_, index) => `word${index + 10}`).join(' ');
  expect(toVtt(sampleTranscript([10, 24, text, 'Ada']))).toBe(`WEBVTT

00:00:10.000 --> 00:00:13.513
<v Ada>word10 word11 word12 word13 word14
word15 word16 word17 word18 word19</v>

00:00:13.513 --> 00:00:17.025
<v Ada>word20 word21 word22 word23 word24
word25 word26 word27 word28 word29</v>

00:00:17.025 --> 00:00:20.538
<v Ada>word30 word31 word32 word33 word34
word35 word36 word37 word38 word39</v>

00:00:20.538 --> 00:00:24.000
<v Ada>word40 word41 word42 word43 word44
word45 word46 word47 word48 word49</v>
`);
});

test.each<[name: string, text: string, lines: string[]]>([
  ['one line', 'Shall we start?', ['Shall we start?']],
  ['two stored lines', 'Shall we\nstart now?', ['Shall we', 'start now?']],
  ['a long line', sentence, ['The quick brown fox jumps over', 'the lazy dog, and then it sleeps.']],
  ['three stored lines', 'one\ntwo\nthree', ['one two three']],
  ['Japanese, over stored lines', '来週の\nプロ\nジェクト', ['来週のプロジェクト']],
  [
    'a name with a title',
    `I think that ${'we all '.repeat(4)}spoke to Dr. Ito. He agreed with all of us there.`,
    ['I think that we all we all we', 'all we all spoke to Dr. Ito.', 'He agreed with all of us there.'],
  ],
])('%s', (_, text, lines) => {
  const cues = shown(sampleTranscript([0, 7, text]), { speakerLabels: false });
  expect(cues.flatMap((cue) => cue.lines)).toEqual(lines);
});

const scripts: [name: string, text: string][] = [
  ['Japanese', '来週のプロジェクト会議は木曜日です。「データベース」の移行について、話し合いましょう。'],
  ['Chinese', '我们下周四开会讨论这个项目。请大家准备好材料，准时参加。'],
  ['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำและเราจะประชุมกันในวันพฤหัสบดีหน้า'],
  ['Khmer', 'យើងនឹងជួបគ្នានៅថ្ងៃព្រហស្បតិ៍សប្តាហ៍ក្រោយ'],
  ['Javanese', 'ꦲꦏ꧀ꦱꦫꦗꦮꦲꦏ꧀ꦱꦫꦗꦮꦲꦏ꧀ꦱꦫꦗꦮ'],
  ['Tibetan', 'བོད་སྐད་དང་བོད་ཡིག་ནི་བོད་མིའི་སྐད་ཡིག་ཡིན།'],
  ['Korean', '다음 주 목요일에 프로젝트 회의가 있습니다. 모두 준비해 주세요.'],
  ['Arabic', 'مرحبا بكم في الاجتماع. هل أنتم مستعدون؟ نعم، نحن مستعدون.'],
  ['Hebrew with marks of direction', 'שלום \u200fABC\u200e, מה שלומך? הכול בסדר.'],
  ['Hindi', 'नमस्ते। आप कैसे हैं? क्‍ष मैं ठीक हूँ।'],
  ['emoji', '👩🏽‍🚀❤️🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪🇫🇷👨‍👩‍👧‍👦1️⃣'],
  ['letters with marks', `e\u0301${'\u0302'.repeat(5)}n\u0303o`.repeat(3)],
  ['a long address', `https://example.com/${'path/'.repeat(30)}?query=${'x'.repeat(90)}`],
  ['one long word', 'Donaudampfschifffahrtsgesellschaft'.repeat(3)],
];

test.each(scripts.slice(0, 2))(
  '%s: no line begins with a sign that ends something, or ends with a bracket',
  (_, text) => {
    const cues = shown(sampleTranscript([0, 80, text.repeat(12)]), { speakerLabels: false });
    for (const line of cues.flatMap(({ lines }) => lines))
      expect(line).not.toMatch(/^[。、，！？」』）ーっゃゅょッャュョ々]|[「『（]$/u);
  },
);

test('no word of Latin letters, Thai or Japanese is cut where it fits a line', () => {
  const words = new Intl.Segmenter('en', { granularity: 'word' });
  for (const text of [speech, ...scripts.slice(0, 3).map(([, sample]) => sample.repeat(12))]) {
    const ends = new Set(Array.from(words.segment(withoutSpaces(text)), ({ index }) => index));
    let place = 0;
    for (const line of shown(sampleTranscript([0, 80, text]), { speakerLabels: false }).flatMap((cue) => cue.lines)) {
      expect(text === speech || ends.has(place)).toBe(true);
      place += withoutSpaces(line).length;
      if (text === speech) expect(` ${text} `).toContain(` ${line} `);
    }
  }
});

test.each<[name: string, stored: string, shown: string]>([
  ['a segment without length has a second', '5-5', '5-6'],
  ['a segment with a negative length has a second', '5-3', '5-6'],
  ['a short segment ends where the next one begins', '1-1.1 1.5-3', '1-1.5 1.5-3'],
  ['short segments one after another', '1-1 2-2 2.4-2.4', '1-2 2-2.4 2.4-3.4'],
  ['segments without length at one time are shown together', '1-1 1-1 1-1', '1-2 1-2 1-2'],
  ['a next segment that leaves no time is shown together', '1-1 1.01-1.01', '1-2 1.01-2.01'],
  ['overlapping segments keep their times', '1-4 2-6 3-3.5', '1-4 2-6 3-4'],
  ['one word keeps its time', '1-60', '1-60'],
])('%s', (_, stored, expected) => {
  const segments = stored.split(' ').map((times, index): [number, number, string, string] => {
    const [from = 0, to = 0] = times.split('-').map(Number);
    return [from, to, 'Hm.', `Speaker ${index}`];
  });
  const times = shown(sampleTranscript(...segments)).map(({ start, end }) => `${start / 1000}-${end / 1000}`);
  expect(times.join(' ')).toBe(expected);
});

test('no part of a text looks like that of another speaker', () => {
  const text = `${'Well, I have said it before. '.repeat(5)}Speaker 2: I agree to pay. ${'And that is all. '.repeat(9)}`;
  for (const speaker of ['', 'Speaker 1'])
    for (const { lines } of shown(sampleTranscript([0, 40, text, speaker])))
      expect(lines[0]).not.toMatch(/^Speaker 2:/);
});

test('beside a label of two lines, a cue has more than one word', () => {
  const cues = shown(sampleTranscript([0, 9_000, 'word '.repeat(20_000), 'L'.repeat(82)]));
  expect(cues.length).toBeLessThan(5_000);
  expect(cues.flatMap(({ lines }) => lines.slice(1).join(' ').split(' '))).toHaveLength(20_000);
});

test('as stored, each segment is one cue with its times and lines', () => {
  fc.assert(
    fc.property(anyTranscript, (memory) => {
      const cues = shown(memory, { cues: 'stored', speakerLabels: false });
      expect(cues).toEqual(
        normalizeTranscript(memory).cues.map(({ start, end, text }) => {
          return { start, end, lines: visibleLines(text.replaceAll('\u2060', '')) };
        }),
      );
    }),
  );
  expect(toVtt(sampleTranscript([5, 5, speech]), { cues: 'stored' })).toContain(`5.001\n<v Speaker 1>${speech}</v>\n`);
});

const awkward = ['来週の', 'プロジェクト', '。', 'ภาษาไทย', '👩🏽‍🚀', 'שלום', '\u200f', 'e\u0301', '\n', '다음', '🇩🇪'];
const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,9}[,.?]?$/),
  fc.constantFrom('x'.repeat(60), ...awkward),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const anyText = fc
  .array(word, { maxLength: 60 })
  .chain((words) => fc.constantFrom(' ', '').map((gap) => words.join(gap)));
const anyTimes = fc.tuple(
  fc.integer({ min: 0, max: 60_000 }),
  fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 60_000 })),
);

test('of any transcript, each character is shown once and in order, in cues within the bounds', () => {
  const anySegments = fc.array(fc.tuple(anyTimes, anyText), { maxLength: 5 });
  fc.assert(
    fc.property(anySegments, (segments) => {
      const memory = sampleTranscript(
        ...segments.map(([[start, length], text], index): [number, number, string, string] => {
          return [start / 1000, (start + length) / 1000, text, `S${index}`];
        }),
      );
      const stored = normalizeTranscript(memory).cues;
      const cues = shown(memory);
      expect(cues.map(({ start }) => start)).toEqual(cues.map(({ start }) => start).sort((a, b) => a - b));
      for (const { start, end, speaker, text } of stored) {
        const label = `${speaker}:`;
        const parts = cues.filter(({ lines }) => lines[0]?.startsWith(label));
        const said = parts.map(({ lines }) =>
          lines.map((line, index) => (index === 0 ? line.slice(label.length) : line)),
        );
        const lines = visibleLines(text).map((line) => line.replaceAll('\u2060', ''));
        expect(seen(said.flat())).toEqual(seen(lines));
        const next =
          stored.find((other) => other.start >= start + 100 * parts.length)?.start ?? Number.POSITIVE_INFINITY;
        const last = Math.max(end, Math.min(next, start + 1000 * parts.length));
        expect([parts[0]?.start, parts.at(-1)?.end]).toEqual([start, last]);
        const shortest = Math.min(1000, Math.floor((last - start) / parts.length));
        for (const [index, part] of parts.entries()) {
          expect(part.start).toBe(parts[index - 1]?.end ?? start);
          expect(part.end - part.start).toBeGreaterThanOrEqual(shortest);
          const words = (said[index] as string[])
            .join(' ')
            .trim()
            .split(/[^\S\xa0\u2007\u202f\ufeff]+(?![\p{M}\u200d])/u);
          if (words.length > 1) expect(part.end - part.start).toBeLessThanOrEqual(7_000);
          expect(part.lines.length).toBeLessThanOrEqual(2);
          for (const line of part.lines) expect(columnsOf(line)).toBeLessThanOrEqual(42);
        }
      }
    }),
  );
});
