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

test('a start that cannot be read takes the place after the segment stored before it', () => {
  const memory = sampleTranscript([1, 2, 'first'], [3, 9, 'second'], [4, 5, 'third'], [6, 7, 'fourth']);
  const segments = memory.transcript.segments.map((segment, index) =>
    index % 2 === 1 ? { ...segment, start_at: 'soon' } : segment,
  );
  const { cues, warnings } = normalizeTranscript({ ...memory, transcript: { segments } });
  expect(cues.map(({ start, end, text }) => [start, end, text])).toEqual([
    [1000, 2000, 'first'],
    [1000, 9000, 'second'],
    [4000, 5000, 'third'],
    [4000, 7000, 'fourth'],
  ]);
  expect(warnings.filter(({ kind }) => kind !== 'overlap')).toEqual([
    { kind: 'start-unreadable', segment: 1 },
    { kind: 'start-unreadable', segment: 3 },
  ]);
});

test('an end that cannot be read makes the cue 1 ms long', () => {
  const memory = sampleTranscript([1, 2, 'Oh.']);
  const segments = memory.transcript.segments.map((segment) => ({ ...segment, end_at: '' }));
  const { cues, warnings } = normalizeTranscript({ ...memory, transcript: { segments } });
  expect(cues).toMatchObject([{ start: 1000, end: 1001 }]);
  expect(warnings).toEqual([{ kind: 'end-unreadable', segment: 0 }]);
});

test('without a readable beginning, time counts from the earliest start', () => {
  const memory = { ...sampleTranscript([7, 8, 'later'], [5, 6, 'sooner']), started_at: 'this morning' };
  const { cues, warnings } = normalizeTranscript(memory);
  expect(cues.map(({ start, text }) => [start, text])).toEqual([
    [0, 'sooner'],
    [2000, 'later'],
  ]);
  expect(warnings).toEqual([
    { kind: 'beginning-unreadable', segment: null },
    { kind: 'order-changed', segment: 1 },
  ]);
});

test('segments out of order are sorted; those that start together keep their order', () => {
  const memory = sampleTranscript([3, 4, 'c'], [1, 1.5, 'a'], [2, 3, 'b'], [3, 5, 'd']);
  const { cues, warnings } = normalizeTranscript(memory);
  expect(cues.map(({ text, segment }) => `${text}${segment}`)).toEqual(['a1', 'b2', 'c0', 'd3']);
  expect(warnings).toEqual([
    { kind: 'order-changed', segment: 1 },
    { kind: 'order-changed', segment: 2 },
    { kind: 'overlap', segment: 3 },
  ]);
});

test('reports an overlap, also with a cue that began long before, and does not change it', () => {
  const memory = sampleTranscript([0, 10, 'long'], [1, 2, 'short'], [5, 6, 'amid'], [10, 11, 'after']);
  const { cues, warnings } = normalizeTranscript(memory);
  expect(cues.map(({ start, end }) => [start, end])).toEqual([
    [0, 10_000],
    [1000, 2000],
    [5000, 6000],
    [10_000, 11_000],
  ]);
  expect(warnings).toEqual([
    { kind: 'overlap', segment: 1 },
    { kind: 'overlap', segment: 2 },
  ]);
});

test('offsets cross midnight and a change of clocks, in whatever zone each date-time is written', () => {
  const segments = [
    { speaker: '', start_at: '2026-03-29T00:59:59.999999999', end_at: '2026-03-29T03:00:01.5+02:00', text: '' },
    { speaker: '', start_at: '2026-03-28T21:00:02-04:00', end_at: '2026-03-29T01:00:03Z', text: '' },
  ];
  const { cues, warnings } = normalizeTranscript({ started_at: '2026-03-29T00:59:00+01:00', transcript: { segments } });
  expect(cues.map(({ start, end }) => [start, end])).toEqual([
    [3_659_999, 3_661_500],
    [3_662_000, 3_663_000],
  ]);
  expect(warnings).toEqual([]);
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
  const { cues, warnings } = normalizeTranscript(memory);
  expect(cues.map(({ speaker, text }) => [speaker, text])).toEqual([
    ['', ''],
    ['', ''],
    ['', ''],
    ['', 'Hm.'],
  ]);
  expect(warnings.filter(({ kind }) => kind === 'segment-incomplete').map(({ segment }) => segment)).toEqual([
    0, 1, 2, 3,
  ]);
  expect(turns(memory)).toHaveLength(4);
  expect(toMarkdown(memory)).toContain('Hm.');
  expect(renameSpeakers(memory, {}).transcript?.segments).toHaveLength(4);
});

test.each(['text', 7, { segments: {} }, { segments: null }])(
  '%j in the place of a transcript has no cues',
  (transcript) => {
    const memory = { started_at: at(0), transcript } as unknown as TranscriptSource;
    expect(normalizeTranscript(memory)).toEqual({ cues: [], warnings: [] });
    expect(renameSpeakers(memory, {})).toEqual(memory);
  },
);

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
