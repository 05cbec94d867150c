import type { Memory } from '@memory-read/client';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/open-database.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { writeVersion } from '../history/write-version.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { type PlainHit, type PlainQuery, type PlainTerm, plainScan } from '../testing/plain-scan.ts';
import { type ScriptWords, scriptWords } from '../testing/script-words.ts';
import { searchMemories } from './search-memories.ts';
import type { HitKind, SearchHit, SearchOptions } from './search-types.ts';

const MEMORIES = 20;
const QUERIES = 24;
const kinds: readonly HitKind[] = ['name', 'summary', 'takeaway', 'transcript'];
const speakers = ['Speaker 1', 'Speaker 2', 'Dr. Ítalo', '…'];
// Each memory is older than the previous one, so that the insertion order is not the order of hits.
const starts = [
  '1969-12-31T23:59:59.5Z',
  '1969-12-31T23:59:01Z',
  '1899-12-31T23:59:59Z',
  '1066-10-14',
  '0001-01-01',
].map((time) => (time.includes('T') ? time : `${time}T09:00:00Z`));

describe.each(Object.entries(scriptWords))('%s', (script, words) => {
  test(`${QUERIES} queries find what a plain scan finds`, { timeout: 60_000 }, () => {
    const { database } = openTestMirror();
    const random = randomOf(script);
    const memories = Array.from({ length: MEMORIES }, (_item, index) => makeMemory(random, words, index));
    write(database, memories);
    const newestFirst = memories
      .map((memory, index) => ({ memory, second: Math.floor(Date.parse(memory.started_at) / 1000), index }))
      .sort((one, other) => other.second - one.second || other.index - one.index)
      .map(({ memory }) => memory);
    let withHits = 0;
    for (let number = 0; number < QUERIES; number += 1) {
      const { text, query, options } = makeQuery(random, words, memories);
      const isInRange = rangeTest(options);
      const expected = newestFirst.filter(isInRange).flatMap((memory) => plainScan(memory, query));
      const found = searchAll(text, options, random.whole(1, 9));
      const context = `${script}: ${JSON.stringify(text)} ${JSON.stringify(options)}`;
      expect(found.map(identity), context).toEqual(expected.map(identityOfPlain));
      for (const [index, hit] of found.entries()) expectSame(hit, expected[index] as PlainHit, context);
      if (found.length > 0) withHits += 1;
    }
    expect(withHits).toBeGreaterThan(QUERIES / 3);

    function searchAll(text: string, options: SearchOptions, limit: number): SearchHit[] {
      const hits: SearchHit[] = [];
      let cursor: string | null = null;
      do {
        const page = searchMemories(database, text, { ...options, limit, ...(cursor !== null && { cursor }) });
        hits.push(...page.hits);
        expect(page.hits.length, text).toBeLessThanOrEqual(limit);
        expect(hits.length, 'A page was repeated.').toBeLessThan(10_000);
        cursor = page.cursor;
      } while (cursor !== null);
      return hits;
    }
  });
});

test('accepts any text, and reads all pages of every query', () => {
  const { database } = openTestMirror();
  const random = randomOf('fuzz');
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

type Random = ReturnType<typeof randomOf>;

/** Returns pseudorandom numbers that depend only on a text. */
function randomOf(seed: string) {
  let state = [...seed].reduce((sum, character) => Math.imul(sum, 31) + (character.codePointAt(0) ?? 0), 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item;
  return { whole, pick, isTrue: (share: number) => next() < share };
}

function makeMemory(random: Random, words: ScriptWords, index: number): Memory {
  const startedAt =
    starts[index] ?? new Date(Date.UTC(2025, 0) + random.whole(0, 12) * 1_000 + random.whole(0, 999)).toISOString();
  const size = index === 6 ? 200 : random.whole(0, 14);
  const segments = Array.from({ length: size }, () => {
    const at = new Date(Date.parse(startedAt) + random.whole(-1_000, 60_000)).toISOString();
    // Longer than 64 segments, so that the turn is split.
    const speaker = index === 6 && random.isTrue(0.99) ? 'Speaker 1' : random.pick(speakers);
    return { speaker, start_at: at, end_at: at, text: makeText(random, words, index === 7 ? 150 : 4) };
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

function makeText(random: Random, { words, space }: ScriptWords, most: number): string {
  const count = random.whole(most > 50 ? most : 0, most);
  const between = () => (random.isTrue(0.12) ? random.pick([', ', '. ', ' — ', ' 👍🏽 ', '-']) : space);
  return Array.from({ length: count }, () => respell(random, random.pick(words)) + between()).join('');
}

/** Returns another spelling of the same word. */
function respell(random: Random, word: string): string {
  const spellings = [word, word, word.toUpperCase(), word.toLowerCase(), word.normalize('NFD'), word.normalize('NFKC')];
  return random.pick(spellings);
}

function makeQuery(random: Random, words: ScriptWords, memories: readonly Memory[]) {
  const terms = Array.from({ length: random.whole(random.isTrue(0.1) ? 0 : 1, 2) }, () => makeTerm(random, words));
  const without = random.isTrue(0.25) ? [makeTerm(random, words)] : [];
  const wanted = random.isTrue(0.15) || terms.length === 0 ? [respell(random, random.pick(speakers))] : [];
  const unwanted = random.isTrue(0.1) ? [random.pick(speakers)] : [];
  const parts = [
    ...terms.map(({ text }) => text),
    ...without.map(({ text }) => `-${text}`),
    ...wanted.map((speaker) => `speaker:"${speaker}"`),
    ...unwanted.map((speaker) => `-SPEAKER:"${speaker}"`),
  ];
  const chosen = random.isTrue(0.3) ? kinds.filter(() => random.isTrue(0.5)) : kinds;
  const bound = () => new Date(Date.parse(random.pick(memories).started_at) + random.whole(-1, 1)).toISOString();
  const options: SearchOptions = {
    ...(chosen.length < kinds.length && { kind: chosen }),
    ...(random.isTrue(0.3) && { since: bound() }),
    ...(random.isTrue(0.3) && { until: new Date(bound()) }),
  };
  const query: PlainQuery = {
    terms: terms.map(({ term }) => term),
    without: without.map(({ term }) => term),
    speakers: wanted,
    withoutSpeakers: unwanted,
    kinds: chosen,
  };
  return { text: parts.sort(() => random.whole(-1, 1)).join(' '), query, options };
}

/** Returns a word, a phrase, the beginning of a word, or any part of words without spaces. */
function makeTerm(random: Random, { words, space }: ScriptWords): { text: string; term: PlainTerm } {
  const word = () => respell(random, random.pick(words));
  const phrase = Array.from({ length: random.whole(1, 3) }, word).join(space);
  // A part can be a consonant without its vowel.
  const characters = [...phrase];
  if (space === '' && random.isTrue(0.6)) {
    const from = random.whole(0, characters.length - 1);
    const text = characters.slice(from, from + random.whole(1, 4)).join('');
    return { text, term: { text, isPrefix: false } };
  }
  if (random.isTrue(0.3)) return { text: `"${phrase}"`, term: { text: phrase, isPrefix: false } };
  const one = word();
  const beginning = [...one].slice(0, random.whole(1, 4)).join('');
  if (random.isTrue(0.3)) return { text: `${beginning}*`, term: { text: beginning, isPrefix: isLong(beginning) } };
  return { text: one, term: { text: one, isPrefix: false } };
}

/** A prefix has at least 3 characters. Scripts without spaces need no prefix. */
function isLong(beginning: string): boolean {
  const folded = beginning.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFD');
  const letters = folded.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+$/u)?.[0] ?? '';
  return [...letters.replace(/[\u0300-\u036f\u064b-\u065f\u05b0-\u05c7\u0640]/g, '')].length >= 3;
}

function rangeTest({ since, until }: SearchOptions): (memory: Memory) => boolean {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : new Date(since).getTime();
  const to = until === undefined ? Number.POSITIVE_INFINITY : new Date(until).getTime();
  return ({ started_at }) => Date.parse(started_at) >= from && Date.parse(started_at) < to;
}

function identity({ memoryId, name, startedAt, kind, speaker, version, isOutdated, missingSince }: SearchHit) {
  return { memoryId, name, startedAt, kind, speaker, version, isOutdated, missingSince };
}

function identityOfPlain({ memory: { id, name, started_at }, kind, speaker }: PlainHit): ReturnType<typeof identity> {
  return {
    memoryId: id,
    name,
    startedAt: started_at,
    kind,
    speaker,
    version: 1,
    isOutdated: false,
    missingSince: null,
  };
}

/** There can be several smallest runs and several correct snippets. */
function expectSame(hit: SearchHit, plain: PlainHit, context: string): void {
  const { segments, offset, snippet } = hit;
  if (segments === null) expect([plain.runs, offset], context).toEqual([[], null]);
  else {
    expect(plain.runs, context).toContainEqual([segments.first, segments.last]);
    const start = Date.parse(plain.memory.transcript?.segments[segments.first]?.start_at ?? '');
    expect(offset, context).toBe(Math.max(0, start - Date.parse(plain.memory.started_at)));
  }
  expect(snippet.text.length, context).toBeLessThanOrEqual(500);
  const places = placesOf(plain.text, snippet.text);
  if (plain.text.length <= 500) expect(places, context).toEqual([0]);
  const highlights = places.map((at) => cutTo(plain.highlights, at, at + snippet.text.length));
  expect(highlights, context).toContainEqual(snippet.highlights);
  if (plain.highlights.length > 0) expect(snippet.highlights, context).not.toEqual([]);
}

/** Returns the position of a part in a text, between whole characters. */
function placesOf(text: string, part: string): number[] {
  const bounds = new Set([...new Intl.Segmenter('en').segment(text)].map(({ index }) => index).concat(text.length));
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (bounds.has(at) && bounds.has(at + part.length)) places.push(at);
  }
  return places;
}

function cutTo(highlights: readonly [number, number][], from: number, to: number): [number, number][] {
  return highlights
    .map(([start, end]): [number, number] => [Math.max(start, from) - from, Math.min(end, to) - from])
    .filter(([start, end]) => start < end);
}
