import { expect, test } from 'vitest';
import { at, sampleTranscript } from '../testing/sample-transcript.ts';
import type { SpeakerNames } from '../transcript/speaker-names.ts';
import { matchMemory, prepareMemory } from './match-memory.ts';
import { parseQuery } from './parse-query.ts';
import { searchMemories } from './search-memories.ts';
import type { SearchSource } from './search-types.ts';

/** Each segment says the label that it has. */
function memory(id: number, labels: string[], names?: SpeakerNames): SearchSource {
  const segments = labels.map((label, index): [number, number, string, string] => [
    index,
    index + 1,
    `said by ${label}`,
    label,
  ]);
  const { transcript } = sampleTranscript(...segments);
  return { id: `m${id}`, name: '', started_at: at(-id), summary: null, transcript, names };
}

const memories = [
  memory(1, ['Speaker 1', 'Speaker 2'], { 'Speaker 1': 'Ada Lovelace', 'Speaker 2': 'Bob' }),
  memory(2, ['Speaker 1', 'Lovelace'], new Map([['Speaker 1', 'Ada']])),
  memory(3, ['Speaker 1', '__proto__'], { 'Speaker 1': '田中太郎', 'Speaker 7': 'Grace' }),
];

const found = (query: string, options = {}) =>
  searchMemories(memories, query, options).hits.map(
    ({ memoryId, speaker, person }) => `${memoryId} ${speaker}: ${person}`,
  );

test.each([
  ['a label', 'speaker:"speaker 2"', ['m1 Speaker 2: Bob']],
  ['a name, however it is written', 'speaker:"ÁDA  LOVELACE"', ['m1 Speaker 1: Ada Lovelace']],
  ['a word of a name, and the same label', 'speaker:lovelace', ['m1 Speaker 1: Ada Lovelace', 'm2 Lovelace: null']],
  ['a whole name only, if a person has it', 'speaker:ada', ['m2 Speaker 1: Ada']],
  ['no part of a word', 'speaker:love', []],
  ['no words in another order', 'speaker:"lovelace ada"', []],
  ['a part of a name without spaces', 'speaker:田中', ['m3 Speaker 1: 田中太郎']],
  ['no beginning', 'speaker:love*', []],
  ['no label by a part', 'speaker:speaker', []],
  ['no sign', 'speaker:???', []],
  [
    'the others',
    'said -speaker:lovelace -speaker:田中',
    ['m1 Speaker 2: Bob', 'm2 Speaker 1: Ada', 'm3 __proto__: null'],
  ],
  ['two conditions of one speaker', 'speaker:lovelace speaker:"speaker 1"', ['m1 Speaker 1: Ada Lovelace']],
  ['no word that was not said', 'ada', []],
])('%s: %s', (_name, query, hits) => {
  expect(found(query)).toEqual(hits);
  const prepared = memories.map(prepareMemory);
  expect(searchMemories(prepared, query)).toEqual(searchMemories(memories, query));
});

test('the people of all memories decide, also those of memories outside of the range and of an option', () => {
  const since = { since: at(-1.5) };
  expect(found('speaker:ada', since)).toEqual([]);
  expect(searchMemories(memories, 'speaker:ada', since).miss).toMatchObject({
    speakers: [{ label: 'ada', memories: 0 }],
    outsideRange: 2,
  });
  expect(found('speaker:taro', { people: ['Taro'] })).toEqual([]);
  expect(found('', { speaker: 'lovelace', people: ['LOVELACE'] })).toEqual(['m2 Lovelace: null']);
  const [first] = memories.map(prepareMemory);
  const matchOf = (people: string[]) => first && matchMemory(first, parseQuery('speaker:ada', { people })).match;
  expect([matchOf([]), matchOf(['Ada'])]).toEqual(['together', 'none']);
});

test('a miss counts the memories of a speaker by name, and the nearest have the name', () => {
  expect(searchMemories(memories, 'said zebra speaker:lovelace speaker:"SPEAKER 1"').miss).toMatchObject({
    words: [
      { text: 'said', memories: 3 },
      { text: 'zebra', memories: 0 },
    ],
    speakers: [
      { label: 'lovelace', memories: 2 },
      { label: 'SPEAKER 1', memories: 3 },
    ],
    nearest: [{ memoryId: 'm1', speaker: 'Speaker 1', person: 'Ada Lovelace', missing: ['zebra'] }],
  });
});

test('names change nothing of a hit but its person', () => {
  const withoutNames = memories.map(({ names: _names, ...one }) => one);
  for (const query of ['said', 'said by speaker', 'lovelace', 'zebra said']) {
    const [named, plain] = [memories, withoutNames].map((all) => searchMemories(all, query));
    const clean = (one: typeof named) => JSON.parse(JSON.stringify(one).replace(/"person":"[^"]*"/g, '"person":null'));
    expect(clean(named)).toEqual(plain);
  }
});
