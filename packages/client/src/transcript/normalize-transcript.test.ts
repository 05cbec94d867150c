import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyTranscript, at, sampleTranscript } from '../testing/sample-transcript.ts';
import { normalizeTranscript } from './normalize-transcript.ts';
import { renameSpeakers } from './rename-speakers.ts';
import { speakers } from './speakers.ts';
import { toMarkdown } from './to-markdown.ts';
import { toSrt } from './to-srt.ts';
import { toText } from './to-text.ts';
import { toVtt } from './to-vtt.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { turns } from './turns.ts';

/** The cues as text: start, end and text of each. */
const cuesOf = (memory: TranscriptSource) =>
  normalizeTranscript(memory).cues.map(({ start, end, text }) => `${start}-${end} ${text}`);
/** The warnings as text: the kind and the segment of each. */
const warningsOf = (memory: TranscriptSource) =>
  normalizeTranscript(memory).warnings.map(({ kind, segment }) => `${kind} ${segment}`);

test('a sound transcript becomes cues in milliseconds from its start, without a warning', () => {
  const memory = sampleTranscript([1.25, 2, 'Good morning.'], [2, 3.5, ' Good\nmorning. ', 'Speaker 2']);
  expect(normalizeTranscript(memory)).toEqual({
    cues: [
      { start: 1250, end: 2000, speaker: 'Speaker 1', text: 'Good morning.', segment: 0 },
      { start: 2000, end: 3500, speaker: 'Speaker 2', text: ' Good\nmorning. ', segment: 1 },
    ],
    warnings: [],
  });
});

test('a null transcript has no cues and no warnings, whatever its start', () => {
  const nothing = { cues: [], warnings: [] };
  expect(normalizeTranscript({ started_at: at(0), transcript: null })).toEqual(nothing);
  expect(normalizeTranscript({ started_at: 'yesterday', transcript: { segments: [] } })).toEqual(nothing);
});

test.each([
  ['zero length', [5, 5], [5000, 5001], ['length-not-positive']],
  ['negative length', [5, 3], [5000, 5001], ['length-not-positive']],
  ['a start before the recording', [-2, 3], [0, 3000], ['start-before-beginning']],
  ['all of it before the recording', [-5, -2], [0, 1], ['start-before-beginning']],
  ['a hundred hours', [360_000, 360_001.5], [360_000_000, 360_001_500], []],
] as const)('a segment of %s', (_, [from, to], [start, end], kinds) => {
  const { cues, warnings } = normalizeTranscript(sampleTranscript([from, to, 'Oh.']));
  expect(cues).toEqual([{ start, end, speaker: 'Speaker 1', text: 'Oh.', segment: 0 }]);
  expect(warnings).toEqual(kinds.map((kind) => ({ kind, segment: 0 })));
});

/** A transcript with other fields in the segments at these places. */
function withFields(memory: ReturnType<typeof sampleTranscript>, places: number[], fields: object): TranscriptSource {
  const segments = memory.transcript.segments.map((segment, index) =>
    places.includes(index) ? { ...segment, ...fields } : segment,
  );
  return { ...memory, transcript: { segments } };
}

const four = sampleTranscript([1, 2, 'first'], [3, 9, 'second'], [4, 5, 'third'], [6, 7, 'fourth']);
const midnight = { ...sampleTranscript([0, 0, ''], [0, 0, '']), started_at: '2026-03-29T00:59:00+01:00' };
const yesterday = { start_at: '2026-03-28T21:00:02-04:00', end_at: '2026-03-29T01:00:03Z' };
const zones = { start_at: '2026-03-29T00:59:59.999999999', end_at: '2026-03-29T03:00:01.5+02:00' };

test.each<[string, TranscriptSource, cues: string[], warnings: string[]]>([
  [
    'a start that cannot be read takes the place after the segment stored before it',
    withFields(four, [1, 3], { start_at: 'soon' }),
    ['1000-2000 first', '1000-9000 second', '4000-5000 third', '4000-7000 fourth'],
    ['start-unreadable 1', 'overlap 1', 'overlap 2', 'start-unreadable 3', 'overlap 3'],
  ],
  [
    'an end that cannot be read makes the cue 1 ms long',
    withFields(sampleTranscript([1, 2, 'Oh.']), [0], { end_at: '' }),
    ['1000-1001 Oh.'],
    ['end-unreadable 0'],
  ],
  [
    'without a readable beginning, time counts from the earliest start',
    { ...sampleTranscript([7, 8, 'later'], [5, 6, 'sooner']), started_at: 'this morning' },
    ['0-1000 sooner', '2000-3000 later'],
    ['beginning-unreadable null', 'order-changed 1'],
  ],
  [
    'segments out of order are sorted; those that start together keep their order',
    sampleTranscript([3, 4, 'c'], [1, 1.5, 'a'], [2, 3, 'b'], [3, 5, 'd']),
    ['1000-1500 a', '2000-3000 b', '3000-4000 c', '3000-5000 d'],
    ['order-changed 1', 'order-changed 2', 'overlap 3'],
  ],
  [
    'an overlap is reported and not changed, also with a cue that began long before',
    sampleTranscript([0, 10, 'long'], [1, 2, 'short'], [5, 6, 'amid'], [10, 11, 'after']),
    ['0-10000 long', '1000-2000 short', '5000-6000 amid', '10000-11000 after'],
    ['overlap 1', 'overlap 2'],
  ],
  [
    'offsets cross midnight and a change of clocks, in whatever zone each date-time is written',
    withFields(withFields(midnight, [0], zones) as typeof midnight, [1], yesterday),
    ['3659999-3661500 ', '3662000-3663000 '],
    [],
  ],
])('%s', (_title, memory, cues, warnings) => {
  expect(cuesOf(memory)).toEqual(cues);
  expect(warningsOf(memory)).toEqual(warnings);
});

test('every segment of any transcript is a cue once, in order, with a length, its text and its speaker', () => {
  fc.assert(
    fc.property(anyTranscript, (memory) => {
      const segments = memory.transcript?.segments ?? [];
      const { cues, warnings } = normalizeTranscript(memory);
      expect(cues.map(({ segment }) => segment).sort((a, b) => a - b)).toEqual([...segments.keys()]);
      for (const [index, { start, end, speaker, text, segment }] of cues.entries()) {
        const previous = cues[index - 1];
        expect(Number.isInteger(start) && Number.isInteger(end)).toBe(true);
        expect(start).toBeGreaterThanOrEqual(previous?.start ?? 0);
        if (start === previous?.start) expect(segment).toBeGreaterThan(previous.segment);
        expect(end).toBeGreaterThan(start);
        expect({ speaker, text }).toEqual({ speaker: segments[segment]?.speaker, text: segments[segment]?.text });
      }
      const places = warnings.map(({ segment }) => segment ?? -1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }),
  );
});

test('the memory is not changed', () => {
  fc.assert(
    fc.property(anyTranscript, (memory) => {
      const before = structuredClone(memory);
      normalizeTranscript(memory);
      expect(memory).toEqual(before);
    }),
  );
});

test('what was not validated is read as far as it can be, with a warning', () => {
  const segments = [null, 7, {}, { speaker: null, text: 'Hm.', start_at: at(1), end_at: at(2) }];
  const memory = { started_at: at(0), transcript: { segments } } as unknown as TranscriptSource;
  expect(normalizeTranscript(memory).cues.map(({ speaker, text }) => speaker + text)).toEqual(['', '', '', 'Hm.']);
  expect(warningsOf(memory).filter((warning) => warning.startsWith('segment-incomplete'))).toEqual(
    [0, 1, 2, 3].map((segment) => `segment-incomplete ${segment}`),
  );
  expect(turns(memory)).toHaveLength(4);
  expect(toMarkdown(memory)).toContain('Hm.');
  expect(renameSpeakers(memory, {}).transcript?.segments).toHaveLength(4);
});

test('a beginning that cannot become a text is unreadable', () => {
  const memory = { ...sampleTranscript([1, 2, 'Yes']), started_at: { toString: 0 } } as unknown as TranscriptSource;
  expect(normalizeTranscript(memory).warnings).toMatchObject([{ kind: 'beginning-unreadable' }]);
});

test('whatever JSON a memory contains, no function throws and no segment is dropped', () => {
  const value = fc.jsonValue({ maxDepth: 1 });
  const segment = fc.oneof(value, fc.record({ speaker: value, text: value, start_at: value, end_at: value }));
  const transcript = fc.oneof(value, fc.record({ segments: fc.oneof(value, fc.array(segment)) }));
  fc.assert(
    fc.property(fc.record({ started_at: value, transcript }), (json) => {
      const memory = json as TranscriptSource;
      const segments = memory.transcript?.segments;
      expect(normalizeTranscript(memory).cues).toHaveLength(Array.isArray(segments) ? segments.length : 0);
      for (const render of [toSrt, toVtt, toText, toMarkdown]) expect(typeof render(memory)).toBe('string');
      expect([speakers(memory), turns(memory)].every(Array.isArray)).toBe(true);
      expect(renameSpeakers(memory, { Ada: 'Grace' })).toHaveProperty('transcript');
    }),
  );
});
