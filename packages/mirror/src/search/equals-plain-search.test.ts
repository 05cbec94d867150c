import type { Memory } from '@memory-read/client';
import { hitKinds, searchMemories as plainSearch, prepareMemory } from '@memory-read/client/search';
import { type Choices, choicesOf } from '@memory-read/test-kit/random';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { writeVersion } from '../history/write-version.ts';
import { nameSpeaker } from '../people/change-names.ts';
import { mergePeople, renamePerson } from '../people/change-people.ts';
import { readName } from '../people/read-name.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { type ScriptWords, scriptWords } from '../testing/script-words.ts';
import { indexAllMemories } from './index-memory.ts';
import { searchMemories } from './search-memories.ts';
import type { SearchHit, SearchOptions, SearchPage } from './search-types.ts';

const MEMORIES = 20;
const QUERIES = 40;
const speakers = ['Speaker 1', 'Speaker 2', 'Dr. Ítalo', '…', ' '];
// Each memory is older than the previous one, so that the insertion order is not the order of hits.
const starts = [
  '1969-12-31T23:59:59.5Z',
  '1969-12-31T23:59:01Z',
  '1899-12-31T23:59:59Z',
  '1066-10-14',
  '0001-01-01',
].map((time) => (time.includes('T') ? time : `${time}T09:00:00Z`));

const outcomes = { together: 0, apart: 0, nearest: 0, counts: 0, named: 0 };
afterAll(() => console.log(`Answers with each kind of hit: ${JSON.stringify(outcomes)}`));

describe.each(Object.entries(scriptWords))('%s', (script, words) => {
  test(`${QUERIES} questions to the index have the answers of a plain search`, { timeout: 60_000 }, () => {
    const { database } = openTestMirror();
    const random = choicesOf(script);
    const memories = Array.from({ length: MEMORIES }, (_item, index) => makeMemory(random, words, index));
    const people = peopleOf(words);
    write(database, memories);
    const names = nameSpeakers(database, random, { memories, people });
    let prepared = prepare(memories, names);
    let withHits = 0;
    for (let number = 0; number < QUERIES; number += 1) {
      if (number === Math.floor(QUERIES / 2)) {
        changePeople(database, names);
        // The index of a memory is written with the names that it has.
        inTransaction(database, () => indexAllMemories(database));
        prepared = prepare(memories, names);
      }
      const { text, options } = makeQuery(random, words, { memories, people });
      const { hits, miss } = readAll(database, text, { ...options, limit: random.whole(1, 9) });
      const context = `${script}: ${JSON.stringify(text)} ${JSON.stringify(options)}`;
      expect({ hits: hits.map(withoutState), miss }, context).toEqual(plainSearch(prepared, text, options));
      if (hits.length > 0) withHits += 1;
      for (const match of ['together', 'apart'] as const)
        if (hits.some((hit) => hit.match === match)) outcomes[match] += 1;
      if (hits.some(({ person }) => person !== null)) outcomes.named += 1;
      if (miss !== null) outcomes[miss.nearest.length > 0 ? 'nearest' : 'counts'] += 1;
    }
    expect(withHits).toBeGreaterThan(QUERIES / 4);
  });
});

/** Reads all pages of a search. */
function readAll(database: MirrorDatabase, text: string, options: SearchOptions) {
  const { hits, miss, ...first } = searchMemories(database, text, options);
  const all = [...hits];
  let { cursor } = first;
  while (cursor !== null) {
    const page: SearchPage = searchMemories(database, text, { ...options, cursor });
    expect([page.hits.length > 0, page.hits.length <= (options.limit ?? 20), page.miss]).toEqual([true, true, null]);
    all.push(...page.hits);
    cursor = page.cursor;
  }
  return { hits: all, miss: miss && { ...miss, nearest: miss.nearest.map(withoutState) } };
}

/** Returns a hit without the data that only a mirror has. */
function withoutState<Hit extends SearchHit>({ missingSince, version, isOutdated, ...hit }: Hit) {
  expect({ missingSince, version, isOutdated }).toEqual({ missingSince: null, version: 1, isOutdated: false });
  return hit;
}

test('accepts any text, and reads all pages of every query', () => {
  const { database } = openTestMirror();
  const random = choicesOf('fuzz');
  const scripts = Object.values(scriptWords);
  write(
    database,
    scripts.map((words, index) => makeMemory(random, words, index)),
  );
  const operators = [
    '"',
    '-',
    '*',
    ' ',
    'speaker:',
    '(',
    ')',
    'AND',
    'NEAR(',
    '{tokens}',
    ':',
    '^',
    '+',
    '\0',
    '\ud800',
    "'",
  ];
  const piece = fc.constantFrom(...operators, ...scripts.flatMap(({ words }) => words));
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  const isWhole = (query: string) =>
    searchMemories(database, query, { limit: 200 }).hits.every(({ snippet: { text, highlights } }) =>
      highlights.every(
        ([start, end], index) => (highlights[index - 1]?.[1] ?? -1) < start && start < end && end <= text.length,
      ),
    );
  fc.assert(fc.property(text, isWhole), { numRuns: 1_000, seed: 20261123 });
});

function write(database: MirrorDatabase, memories: readonly Memory[]): void {
  inTransaction(database, () => {
    for (const memory of memories) writeVersion(database, toStoredContent(memory), { now: 0, fields: [] });
  });
}

/** Names of people by label, by memory. */
type Names = Map<string, Map<string, string>>;

const prepare = (memories: readonly Memory[], names: Names) =>
  memories.map((memory) => prepareMemory({ ...memory, names: names.get(memory.id) }));

/** Returns people with the same first name, one with the name of a label, and names in the script. */
function peopleOf({ words: [one = '', two = '', three = ''], space }: ScriptWords): string[] {
  return ['Ada Lovelace', 'Ada Byron', 'ADA', 'Dr Ítalo', '!!', [one, two, three].join(space), one].map(
    (name) => readName('name', name).name,
  );
}

/** Names some speakers of memories, some of them as the same person. */
function nameSpeakers(
  database: MirrorDatabase,
  random: Choices,
  { memories, people }: { memories: readonly Memory[]; people: readonly string[] },
): Names {
  return new Map(
    memories.map(({ id, transcript }) => {
      const labels = [...new Set(transcript?.segments.map(({ speaker }) => speaker))];
      const named = new Map(
        labels.filter(() => random.isTrue(0.4)).map((label) => [label, random.pick(people)] as const),
      );
      for (const [label, person] of named) nameSpeaker(database, { memoryId: id, label, person, me: false, now: 0 });
      return [id, named];
    }),
  );
}

/** Merges two people, and renames another one. */
function changePeople(database: MirrorDatabase, names: Names): void {
  const [one = '', two = '', three = ''] = new Set([...names.values()].flatMap((named) => [...named.values()]));
  mergePeople(database, { person: one, into: two, now: 0 });
  renamePerson(database, { person: three, name: 'Grace Ada', now: 0 });
  const changed = new Map([
    [one, two],
    [three, 'Grace Ada'],
  ]);
  for (const named of names.values())
    for (const [label, person] of named) named.set(label, changed.get(person) ?? person);
}

function makeMemory(random: Choices, words: ScriptWords, index: number): Memory {
  const startedAt =
    starts[index] ??
    new Date(Date.UTC(2025, 0) + ((index * 7) % MEMORIES) * 1_000 + random.whole(0, 999)).toISOString();
  const isMonologue = index >= 5 && index < 9;
  const size = isMonologue ? 200 : random.whole(0, 14);
  const segments = Array.from({ length: size }, () => {
    const at = new Date(Date.parse(startedAt) + random.whole(-1_000, 60_000)).toISOString();
    // A passage of more than 64 segments is several texts.
    const speaker = isMonologue && random.isTrue(0.995) ? 'Speaker 1' : random.pick(speakers);
    return {
      speaker,
      start_at: at,
      end_at: at,
      text: makeText(random, words, index === 9 ? 150 : isMonologue ? 2 : 4),
    };
  });
  return sampleMemory({
    id: `mem_${index}`,
    name: makeText(random, words, 3),
    started_at: startedAt,
    transcript: random.isTrue(0.1) ? null : { segments },
    summary: random.isTrue(0.2)
      ? null
      : {
          quick_summary: makeText(random, words, 6),
          key_takeaways: Array.from({ length: random.whole(0, 3) }, () => makeText(random, words, 4)),
        },
  });
}

function makeText(random: Choices, { words, space }: ScriptWords, most: number): string {
  const count = random.whole(most > 50 ? most : 0, most);
  const between = () => (random.isTrue(0.12) ? random.pick([', ', '. ', ' — ', ' 👍🏽 ', '-']) : space);
  return Array.from({ length: count }, () => respell(random, random.pick(words)) + between()).join('');
}

/** Returns another spelling of the same word. */
function respell(random: Choices, word: string): string {
  const spellings = [word, word, word.toUpperCase(), word.toLowerCase(), word.normalize('NFD'), word.normalize('NFKC')];
  return random.pick(spellings);
}

function makeQuery(
  random: Choices,
  words: ScriptWords,
  { memories, people }: { memories: readonly Memory[]; people: readonly string[] },
) {
  const speaker = () => (random.isTrue(0.5) ? random.pick(speakers) : makeName(random, people));
  const parts = [
    ...Array.from({ length: random.whole(random.isTrue(0.1) ? 0 : 1, 4) }, () => makeTerm(random, words)),
    ...(random.isTrue(0.2) ? [`-${makeTerm(random, words)}`] : []),
    ...(random.isTrue(0.15) ? [`speaker:"${respell(random, speaker())}"`] : []),
    ...(random.isTrue(0.1) ? [`-SPEAKER:"${speaker()}"`] : []),
  ];
  const bound = () => new Date(Date.parse(random.pick(memories).started_at) + random.whole(-1, 1)).toISOString();
  const options: Pick<SearchOptions, 'kind' | 'since' | 'until' | 'speaker' | 'perMemory'> = {
    ...(random.isTrue(0.2) && { kind: hitKinds.filter(() => random.isTrue(0.5)) }),
    ...(random.isTrue(0.2) && { since: bound() }),
    ...(random.isTrue(0.2) && { until: new Date(bound()) }),
    ...(random.isTrue(0.05) && { speaker: speaker() }),
    ...(random.isTrue(0.2) && { perMemory: random.whole(1, 3) }),
  };
  return { text: parts.sort(() => random.whole(-1, 1)).join(' '), options };
}

/** Returns a word, a phrase, the beginning of a word, any part of words, or a word that nobody said. */
function makeTerm(random: Choices, { words, space }: ScriptWords): string {
  const word = () => respell(random, random.pick(words));
  const phrase = Array.from({ length: random.whole(1, 3) }, word).join(space);
  const characters = [...phrase];
  if (random.isTrue(0.08)) return random.pick(['zebra', '斑馬', 'ม้าลาย', '"red zebra"']);
  // A part can be a consonant without its vowel.
  if (space === '' && random.isTrue(0.6)) {
    const from = random.whole(0, characters.length - 1);
    return characters.slice(from, from + random.whole(1, 4)).join('');
  }
  if (random.isTrue(0.3)) return `"${phrase}${random.isTrue(0.2) ? '*' : ''}"`;
  if (random.isTrue(0.3)) return `${[...word()].slice(0, random.whole(1, 5)).join('')}${random.pick(['', '*'])}`;
  return word();
}

/** Returns a name, or a part of it, which can be no whole word. */
function makeName(random: Choices, people: readonly string[]): string {
  const name = random.pick(people);
  if (random.isTrue(0.4)) return name;
  if (random.isTrue(0.6)) return random.pick(name.split(' '));
  const characters = [...name];
  const from = random.whole(0, characters.length - 1);
  return characters.slice(from, from + random.whole(1, 4)).join('');
}
