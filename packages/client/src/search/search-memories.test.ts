import { expect, test } from 'vitest';
import { at, sampleTranscript } from '../testing/sample-transcript.ts';
import { normalizeTranscript } from '../transcript/normalize-transcript.ts';
import { matchMemory, prepareCues, prepareMemory } from './match-memory.ts';
import { missCounter } from './miss-counter.ts';
import { parseQuery } from './parse-query.ts';
import { type SearchOptions, searchMemories } from './search-memories.ts';
import { searchTexts } from './search-texts.ts';
import type { SearchSource } from './search-types.ts';

const DAY = 86_400;
const newest = 100 * DAY;

type Said = string | [speaker: string, text: string];

function memory(id: string, name: string, said: Said[] = [], takeaways?: string[]): SearchSource {
  const start = newest - Number(/\d+$/.exec(id)?.[0] ?? 0) * DAY;
  const segments = said.map((one, index): [number, number, string, string] => {
    const [speaker, text] = typeof one === 'string' ? ['Ada', one] : one;
    return [start + index, start + index + 1, text, speaker];
  });
  const [quick_summary = '', ...key_takeaways] = takeaways ?? [];
  return {
    id,
    name,
    started_at: at(start),
    summary: takeaways === undefined ? null : { quick_summary, key_takeaways },
    transcript: sampleTranscript(...segments).transcript,
  };
}

const shown = (memories: readonly SearchSource[], query: string, options: SearchOptions = {}) =>
  searchMemories(memories, query, options).hits.map(
    ({ memoryId, kind, match, lacks, snippet: { text, highlights } }) => {
      const marked = [...highlights]
        .reverse()
        .reduce(
          (marks, [start, end]) => `${marks.slice(0, start)}[${marks.slice(start, end)}]${marks.slice(end)}`,
          text,
        );
      return `${memoryId} ${kind} ${match}${lacks.length ? ` -${lacks.join(',')}` : ''}: ${marked}`;
    },
  );

test.each([
  [['来週のプロ', 'ジェクト会議は木曜日です。'], 'プロジェクト会議', '来週の[プロジェクト会議]は木曜日です。'],
  [
    ['I think we should cancel the', 'trip to Lisbon'],
    '"cancel the trip"',
    'I think we should [cancel the trip] to Lisbon',
  ],
  [['My neighbours'], 'neighbo', 'My [neighbours]'],
  [['the premium is $79'], 'premium $79', 'the [premium] is $[79]'],
  [['We go to Łódź with Søren'], 'lodz soren', 'We go to [Łódź] with [Søren]'],
  [['Yes\u202e the budget'], 'budget', 'Yes\ufffd the [budget]'],
  [[`${'x'.repeat(80)}!`], 'x'.repeat(70), `[${'x'.repeat(80)}]!`],
  [['The cafés'], 'cafe', 'The [cafés]'],
  [['ไป กิน'], 'ก', 'ไป [กิ]น'],
])('%j has %j', (said, query, text) => {
  expect(shown([memory('m1', '', said)], query)).toEqual([`m1 transcript together: ${text}`]);
});

test('memories with the words together come first, then those with the words apart, newest first', () => {
  const memories = [
    memory('m4', 'Premium of the insurance', ['hello']),
    memory('m1', 'Insurance', ['It is ', ['Bob', 'a premium call']]),
    memory('m3', 'Talk', [['Bob', 'The insurance has a premium.'], 'No insurance'], ['premium insurance']),
    memory('m2', 'Insurance'),
  ];
  expect(shown(memories, 'insurance premium')).toEqual([
    'm3 summary together: [premium] [insurance]',
    'm3 transcript together: The [insurance] has a [premium].',
    'm4 name together: [Premium] of the [insurance]',
    'm1 name apart -premium: [Insurance]',
    'm1 transcript apart -insurance: a [premium] call',
  ]);
  expect(shown(memories, 'insurance premium', { limit: 2, perMemory: 1 }).map((hit) => hit.slice(0, 2))).toEqual([
    'm3',
    'm4',
  ]);
  expect(shown(memories, 'insurance premium', { speaker: 'BOB' }).map((hit) => hit.slice(0, 2))).toEqual(['m3']);
  expect(shown(memories, 'insurance -no', { kind: ['name', 'transcript'] }).map((hit) => hit.slice(0, 7))).toEqual([
    'm1 name',
    'm2 name',
    'm3 tran',
    'm4 name',
  ]);
  expect(shown(memories, 'speaker:bob').map((hit) => hit.slice(0, 2))).toEqual(['m1', 'm3']);
});

test('words apart are covered by few texts, each with what it lacks', () => {
  const [hit, ...others] = searchMemories(
    [memory('m1', 'alpha', ['alpha', ['Bob', 'beta gamma'], 'gamma'])],
    'alpha beta gamma',
  ).hits;
  expect(hit).toMatchObject({ kind: 'name', lacks: ['beta', 'gamma'], segments: null, offset: null, speaker: null });
  expect(others).toMatchObject([
    { kind: 'transcript', lacks: ['alpha'], segments: { first: 1, last: 1 }, offset: 1000 },
  ]);
});

test('without a hit, the counts and the nearest memories are there', () => {
  const memories = [
    memory('m1', 'Insurance draft', ['hello']),
    memory('m2', 'Call', [
      ['Bob', 'the premium'],
      ['Ada', 'no rate'],
    ]),
    memory('m3', 'Call', ['premium rate']),
    memory('m4', 'Other', ['nothing']),
    memory('m5', 'Call', ['premium rate']),
    memory('m6', 'Call', ['premium rate']),
  ];
  const { hits, miss } = searchMemories(memories, 'premium rate zebra speaker:ada', {
    since: at(0),
    until: at(newest - DAY + 1),
  });
  expect(hits).toEqual([]);
  expect(miss).toMatchObject({
    words: [
      { text: 'premium', memories: 4 },
      { text: 'rate', memories: 4 },
      { text: 'zebra', memories: 0 },
    ],
    speakers: [{ label: 'ada', memories: 6 }],
    outsideRange: 0,
    nearest: [
      { memoryId: 'm3', missing: ['zebra'], lacks: ['zebra'], match: 'apart' },
      { memoryId: 'm5', missing: ['zebra'] },
      { memoryId: 'm6', missing: ['zebra'] },
    ],
  });
  expect(searchMemories(memories, 'insurance', { until: at(newest - 2 * DAY + 1) }).miss).toMatchObject({
    outsideRange: 1,
    words: [{ memories: 0 }],
  });
  for (const query of ['', '-draft', '!']) expect(searchMemories(memories, query)).toEqual({ hits: [], miss: null });
  expect(searchMemories(memories, 'draft -insurance').miss).toMatchObject({
    words: [{ text: 'draft', memories: 1 }],
    nearest: [],
  });
});

test('prepared memories are searched alike, and have a size', () => {
  const memories = [memory('m1', 'Plan', ['cancel the', 'trip']), memory('m2', 'trip')];
  const prepared = memories.map(prepareMemory);
  for (const query of ['trip', '"cancel the trip"', 'nothing']) {
    expect(searchMemories(prepared, query)).toEqual(searchMemories(memories, query));
  }
  for (const [index, one] of memories.entries()) {
    const { cues } = normalizeTranscript(one);
    expect(prepareCues({ ...one, cues })).toEqual(prepared[index]);
  }
  expect(prepared[0]?.bytes).toBeGreaterThan(2 * 'cancel the trip'.length);
  expect(matchMemory(prepared[1] as (typeof prepared)[0], parseQuery('trip zebra'))).toMatchObject({
    match: 'some',
    missing: ['zebra'],
    hits: [{ kind: 'name' }],
  });
  expect(missCounter(parseQuery('')).result(2)).toEqual({ words: [], speakers: [], outsideRange: 2, nearest: [] });
});

const long = (count: number, words: Record<number, string>) =>
  memory(
    'm1',
    '',
    Array.from({ length: count }, (_, index) => words[index] ?? `segment number ${String(index).padStart(3, '0')}`),
  );

test('a long passage is windows that repeat the end of the window before', () => {
  const [, ...texts] = searchTexts(long(200, {}));
  expect(texts.map(({ segments }) => [segments?.first, segments?.starts.length, segments?.repeated])).toEqual([
    [0, 64, 0],
    [60, 64, 4],
    [120, 64, 4],
    [180, 20, 4],
  ]);
  const short = searchTexts(
    memory(
      'm1',
      '',
      Array.from({ length: 200 }, () => 'a'),
    ),
  );
  expect(short.map(({ segments }) => segments?.first)).toEqual([undefined, 0, 32, 64, 96, 128, 160]);
});

test.each([
  [{ 63: 'we cancel the', 64: 'trip' }, '"cancel the trip"', [[63, 64]]],
  [{ 62: 'alpha', 63: 'beta' }, 'alpha beta', [[62, 63]]],
  [
    { 62: 'alpha', 100: 'alpha' },
    'alpha',
    [
      [62, 62],
      [100, 100],
    ],
  ],
  [{ 5: 'no', 62: 'alpha' }, 'alpha -no', [[62, 62]]],
  [{ 62: 'alpha', 100: 'no' }, 'alpha -no', [[62, 62]]],
  [{ 62: 'alpha', 63: '', 64: 'beta' }, 'alpha beta', [[62, 64]]],
] as [Record<number, string>, string, number[][]][])('%j finds %j once, at %j', (words, query, runs) => {
  const { hits } = searchMemories([long(200, words)], query);
  expect(hits.map(({ segments }) => [segments?.first, segments?.last])).toEqual(runs);
});

test('a snippet has at most 500 units, and cuts no character', () => {
  const said = `${'👨‍👩‍👧 '.repeat(200)}needle ${'e\u0301👩🏽‍🚀'.repeat(200)}`;
  const { text, highlights } = searchMemories([memory('m1', '', [said])], 'needle').hits[0]?.snippet ?? {
    text: '',
    highlights: [],
  };
  expect(text.length).toBeLessThanOrEqual(500);
  expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['needle']);
  expect(text).toMatch(/^👨‍👩‍👧 .*(e\u0301|👩🏽‍🚀)$/u);
  expect(text.isWellFormed()).toBe(true);
});

test('a phrase that is longer than a snippet is marked to the end of the snippet', () => {
  const phrase = 'crane '.repeat(140).trim();
  expect(searchMemories([memory('m1', '', [phrase])], `"${phrase}"`).hits[0]?.snippet).toEqual({
    text: phrase.slice(0, 500),
    highlights: [[0, 500]],
  });
});

test('the smallest run of segments is shown, not the first one', () => {
  const { hits } = searchMemories([memory('m1', '', ['A red one.', 'Then.', 'A kite.', 'A red kite.'])], 'red kite');
  expect(hits).toMatchObject([{ segments: { first: 3, last: 3 }, offset: 3_000 }]);
});

test('a word that a text has more often than a call takes arguments is found', () => {
  const { hits } = searchMemories([memory('m1', 'Talk', [`${'tea '.repeat(200_000)}zanzibar`])], 'tea zanzibar');
  expect(hits.map(({ snippet: { text, highlights } }) => [text.slice(-12), highlights.length])).toEqual([
    ['tea zanzibar', 124],
  ]);
});
