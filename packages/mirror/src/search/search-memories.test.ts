import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inTransaction } from '../database/in-transaction.ts';
import { openDatabase } from '../database/open-database.ts';
import { markMissing } from '../history/mark-memory.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { writeVersion } from '../history/write-version.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { slotOf } from './index-position.ts';
import { searchMemories } from './search-memories.ts';
import type { SearchOptions } from './search-types.ts';

let mirror: ReturnType<typeof openTestMirror>;

beforeEach(() => {
  mirror = openTestMirror();
});

type Said = string | [speaker: string, text: string];

/** Adds a version of a memory. Each segment starts a second after the previous one. */
function add(said: readonly Said[], overrides: Record<string, unknown> = {}) {
  const segments = said.map((each, index) => {
    const [speaker, text] = typeof each === 'string' ? ['Speaker 1', each] : each;
    const time = new Date(Date.parse('2026-08-20T10:00:01Z') + index * 1_000).toISOString();
    return { speaker, text, start_at: time, end_at: time };
  });
  const memory = sampleMemory({ name: 'Plain', summary: null, transcript: { segments }, ...overrides });
  return inTransaction(mirror.database, () =>
    writeVersion(mirror.database, toStoredContent(memory), { now: 0, fields: [] }),
  );
}

const search = (query: string, options: SearchOptions = {}) => searchMemories(mirror.database, query, options);
/** Returns the snippets of the hits, with the highlights in brackets. */
const found = (query: string, options: SearchOptions = {}) =>
  search(query, options).hits.map(({ snippet: { text, highlights } }) =>
    highlights.reduceRight(
      (marked, [start, end]) => `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
      text,
    ),
  );

describe('hits', () => {
  test('have the data of their memory, their turn and their smallest run', () => {
    const { memoryKey } = add(
      [
        ['Ada', 'Good morning.'],
        ['Ada', 'The red kite flies.'],
        ['Ada', 'And the blue'],
        ['Ada', 'kite too.'],
        ['Bob', 'Yes.'],
      ],
      { id: 'mem_7', name: 'Kites' },
    );
    inTransaction(mirror.database, () => markMissing(mirror.database, memoryKey, 7));
    const common = {
      memoryId: 'mem_7',
      name: 'Kites',
      startedAt: '2026-08-20T10:00:00.000Z',
      missingSince: new Date(7),
      version: 1,
      isOutdated: false,
      match: 'together',
      lacks: [],
      person: null,
    };
    const text = 'Good morning. The red kite flies. And the blue kite too.';
    expect(search('BLUE kite')).toEqual({
      hits: [
        {
          ...common,
          kind: 'transcript',
          speaker: 'Ada',
          segments: { first: 2, last: 3 },
          offset: 3_000,
          snippet: {
            text,
            highlights: [
              [22, 26],
              [42, 46],
              [47, 51],
            ],
          },
        },
      ],
      cursor: null,
      miss: null,
    });
    expect(search('kites').hits).toEqual([
      {
        ...common,
        kind: 'name',
        speaker: null,
        segments: null,
        offset: null,
        snippet: { text: 'Kites', highlights: [[0, 5]] },
      },
    ]);
    expect(search('red kite').hits[0]?.segments).toEqual({ first: 1, last: 1 });
    expect(search('yes').hits[0]).toMatchObject({ segments: { first: 4, last: 4 }, offset: 5_000, speaker: 'Bob' });
  });

  test('are those of the last version with words', () => {
    add(['Old words.']);
    add([], { name: 'Silent' });
    expect(search('old').hits[0]).toMatchObject({ name: 'Plain', version: 1, isOutdated: true });
    expect(found('silent')).toEqual([]);
    add(['New words.']);
    expect(found('old')).toEqual([]);
    expect(found('words')).toEqual(['New [words].']);
    add(['Moved words.'], { started_at: '2027-01-01T00:00:00Z' });
    expect(found('words')).toEqual(['Moved [words].']);
  });
});

describe('cursors', () => {
  test('skip and repeat no hit, even when memories are added', () => {
    for (let index = 0; index < 9; index += 1) add([`Crane ${index}.`, ['B', 'Crane too.']], { id: `mem_${index}` });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = search('crane', { limit: 5, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.hits.map(({ memoryId, segments }) => `${memoryId} ${segments?.first}`));
      cursor = page.cursor ?? undefined;
      add(['Crane of tomorrow.'], { id: `new_${seen.length}`, started_at: '2027-01-01T00:00:00Z' });
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 18 }, (_item, index) => `mem_${8 - Math.floor(index / 2)} ${index % 2}`));
  });

  test('belong to their query; invalid options are rejected', () => {
    add(['Crane.', ['B', 'Crane.']]);
    const { cursor } = search('crane', { limit: 1 });
    expect(search('crane', { limit: 9, cursor: String(cursor) }).hits).toHaveLength(1);
    const invalid = [
      { cursor: 'x' },
      { cursor, kind: 'name' },
      { cursor, since: '2020-01-01' },
      { limit: 0 },
      { limit: 201 },
      { kind: 'word' },
      { speaker: 7 },
      { perMemory: 0 },
      { cursor, perMemory: 1 },
      { until: 'x' },
    ];
    for (const options of invalid) {
      expect(() => search('crane', options as SearchOptions)).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      );
    }
    expect(() => search('cranes', { cursor: String(cursor) })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });
});

test('finds a memory whose second was full, also by a range that ends at its second', () => {
  const startedAt = '2026-08-20T10:00:00.000Z';
  mirror.database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 8191)
      INSERT INTO memories (memory_id, started_at, start_slot, disambiguator, current_version, indexed_version,
        last_event, last_event_at, read_at, list_state) SELECT 'full ' || n, 0, ?, n, 1, 1, 1, 0, 0, '' FROM numbers`,
    )
    .run(slotOf(Date.parse(startedAt)));
  add(['Crane one.'], { id: 'one', started_at: startedAt });
  add(['Crane two.'], { id: 'two', started_at: startedAt });
  const until = '2026-08-20T10:00:00.001Z';
  expect(search('crane', { since: startedAt, until }).hits.map(({ memoryId }) => memoryId)).toEqual(['two', 'one']);
  expect(search('crane', { until: startedAt }).hits).toEqual([]);
});

test('does not return writes of another process during a search', () => {
  add(['Crane.']);
  const other = openDatabase(mirror.folder, { readOnly: false });
  onTestFinished(() => other.close());
  const prepare = mirror.database.prepare.bind(mirror.database);
  vi.spyOn(mirror.database, 'prepare').mockImplementation((sql) => {
    // At this point, the search has read the keys of the hits.
    if (sql.startsWith('SELECT kind')) other.exec('DELETE FROM units; DELETE FROM memories');
    return prepare(sql);
  });
  expect(found('crane')).toEqual(['[Crane].']);
  vi.restoreAllMocks();
  other.exec('DELETE FROM words');
  expect(found('crane')).toEqual([]);
});

test('does not search turns after the first 65,536 units of a memory', () => {
  add(
    Array.from({ length: 65_540 }, (_item, index) => [
      `Speaker ${index % 2}`,
      index % 65_530 < 9 ? `Crane ${index}.` : '…',
    ]),
  );
  expect(found('crane', { limit: 200 }).at(-1)).toBe('[Crane] 65534.');
  expect(found('65534')).toHaveLength(1);
  expect(found('65535')).toEqual([]);
});

test('searches a segment of a million characters, with words that occur a hundred thousand times', () => {
  add([`${'kite crane '.repeat(100_000)}owl`]);
  const hit = search('kite crane owl').hits[0];
  expect(hit?.snippet.text).toMatch(/kite crane owl$/);
  expect(hit?.snippet.text.length).toBeLessThanOrEqual(500);
});

test('finds names and texts with NUL and lone surrogates', () => {
  add(['red\0kite \ud800 crane'], { name: 'A\0B owl \udfff' });
  expect(found('kite crane')).toEqual(['red\ufffd[kite] \ufffd [crane]']);
  expect(found('owl')).toEqual(['A\ufffdB [owl] \ufffd']);
});
