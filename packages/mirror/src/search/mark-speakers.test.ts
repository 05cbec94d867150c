import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { hasAllWords } from '../check/has-all-words.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { writeVersion } from '../history/write-version.ts';
import { nameSpeaker, unnameSpeaker } from '../people/change-names.ts';
import { mergePeople, renamePerson, undoChange } from '../people/change-people.ts';
import { writeNaming } from '../people/naming-rows.ts';
import { writeNumber, writePerson } from '../people/person-rows.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { markSpeakers } from './mark-speakers.ts';
import { searchMemories } from './search-memories.ts';
import type { SearchOptions } from './search-types.ts';

let mirror: ReturnType<typeof openTestMirror>;

beforeEach(() => {
  mirror = openTestMirror();
});

/** Adds a version of a memory. Each label says its text. */
function add(id: string, said: [label: string, text: string][], time = '2026-08-20T10:00:01Z'): void {
  const segments = said.map(([speaker, text]) => ({ speaker, text, start_at: time, end_at: time }));
  const memory = sampleMemory({ id, name: 'Plain', summary: null, transcript: { segments } });
  inTransaction(mirror.database, () => writeVersion(mirror.database, toStoredContent(memory), { now: 0, fields: [] }));
}

function name(memoryId: string, names: Record<string, string>): void {
  for (const [label, person] of Object.entries(names))
    nameSpeaker(mirror.database, { memoryId, label, person, me: false, now: 0 });
}

const unname = (memoryId: string, label: string) => unnameSpeaker(mirror.database, { memoryId, label, now: 0 });

const search = (query: string, options: SearchOptions = {}) => searchMemories(mirror.database, query, options);
const found = (query: string, options: SearchOptions = {}) =>
  search(query, options).hits.map(({ memoryId, speaker, person }) => `${memoryId} ${speaker}: ${person}`);

/** Returns the rows of a table, which also tell which of them were written anew. */
const rowsOf = (table: string) => {
  const read = mirror.database.prepare(`SELECT * FROM ${table}`);
  read.setReadBigInts(true);
  return read.all();
};

test('a name finds the texts of its speaker, from the naming to the removal', async () => {
  add('mem_1', [
    ['Speaker 1', 'One crane.'],
    ['Speaker 2', 'Two cranes.'],
    ['Speaker 1', '…'],
  ]);
  add('mem_2', [['Speaker 1', 'A third crane.']]);
  name('mem_1', { 'Speaker 1': 'Ada Lovelace' });
  expect(found('speaker:lovelace')).toEqual(['mem_1 Speaker 1: Ada Lovelace']);
  expect(found('crane -speaker:"ada lovelace"')).toEqual(['mem_2 Speaker 1: null', 'mem_1 Speaker 2: null']);
  expect(found('lovelace')).toEqual([]);
  expect(await hasAllWords(mirror.database)).toBe(true);
  name('mem_1', { 'Speaker 1': 'Bob', 'Speaker 2': 'Bob' });
  expect([found('speaker:ada'), found('speaker:bob')]).toEqual([[], ['mem_1 Speaker 1: Bob', 'mem_1 Speaker 2: Bob']]);
  for (const label of ['Speaker 1', 'Speaker 2']) unname('mem_1', label);
  expect(found('speaker:bob')).toEqual([]);
  expect(await hasAllWords(mirror.database)).toBe(true);
});

test('a version is written with the names that its speakers have, and the check knows them', async () => {
  add('mem_1', [['Speaker 1', 'One crane.']]);
  name('mem_1', { 'Speaker 1': 'Ada' });
  add('mem_1', [
    ['Speaker 1', 'Mine.'],
    ['Speaker 3', 'One crane.'],
  ]);
  expect(found('speaker:ada')).toEqual(['mem_1 Speaker 3: Ada']);
  expect(await hasAllWords(mirror.database)).toBe(true);
  mirror.database.exec('DELETE FROM namings');
  expect(await hasAllWords(mirror.database)).toBe(false);
});

test('only the words of texts whose mark differs are written, and by a merge and a new name none', () => {
  add(
    'mem_1',
    [0, 1, 2, 0, 1, 2].map((index) => [`Speaker ${index}`, `crane ${index}`]),
  );
  name('mem_1', { 'Speaker 0': 'Ada' });
  const others = ['units', 'memory_words_data'].map(rowsOf);
  const words = rowsOf('words_docsize');
  inTransaction(mirror.database, () => markSpeakers(mirror.database, 'mem_1'));
  expect(rowsOf('words_docsize')).toEqual(words);
  name('mem_1', { 'Speaker 1': 'Bob' });
  const units = rowsOf('units').filter(({ kind }) => kind === 'transcript');
  const written = rowsOf('words_docsize').filter(
    (row) => !words.some(({ origin, id }) => row.id === id && row.origin === origin),
  );
  expect(written.map(({ id }) => units.find(({ unit_key }) => unit_key === id)?.speaker)).toEqual([
    'Speaker 1',
    'Speaker 1',
  ]);
  expect(['units', 'memory_words_data'].map(rowsOf)).toEqual(others);
  // Bob is merged into Ada: the number of Bob stands for Ada.
  const index = rowsOf('words_data');
  mergePeople(mirror.database, { person: 'Bob', into: 'Ada', now: 0 });
  expect(new Set(found('speaker:ada'))).toEqual(new Set(['mem_1 Speaker 0: Ada', 'mem_1 Speaker 1: Ada']));
  expect(found('speaker:bob')).toEqual([]);
  renamePerson(mirror.database, { person: 'Ada', name: 'Grace', now: 0 });
  expect([found('speaker:ada'), found('speaker:grace').length]).toEqual([[], 4]);
  // Of the renaming and of the merge.
  for (let undone = 0; undone < 2; undone += 1) undoChange(mirror.database, 0);
  expect(rowsOf('words_data')).toEqual(index);
});

test('a doubtful name finds nothing, and decides nothing', async () => {
  add('mem_1', [
    ['Speaker 1', 'One crane.'],
    ['Speaker 2', 'Two cranes.'],
  ]);
  add('mem_2', [['Speaker 1', 'A third crane.']]);
  name('mem_1', { 'Speaker 1': 'Ada' });
  name('mem_2', { 'Speaker 1': 'Ada Lovelace' });
  expect(found('speaker:ada')).toEqual(['mem_1 Speaker 1: Ada']);
  add('mem_1', [['Speaker 1', 'One crane. Two cranes.']], '2026-08-20T11:00:00Z');
  expect(found('speaker:ada')).toEqual(['mem_2 Speaker 1: Ada Lovelace']);
  expect(found('one')).toEqual(['mem_1 Speaker 1: null']);
  expect(await hasAllWords(mirror.database)).toBe(true);
});

test('a cursor stays valid when names change', () => {
  for (let index = 0; index < 6; index += 1) add(`mem_${index}`, [['Speaker 1', 'A crane.']]);
  for (const index of [0, 1, 2, 4, 5]) name(`mem_${index}`, { 'Speaker 1': 'Ada' });
  const first = search('speaker:ada crane', { limit: 2 });
  expect(first.hits.map(({ memoryId }) => memoryId)).toEqual(['mem_5', 'mem_4']);
  name('mem_3', { 'Speaker 1': 'Ada' });
  name('mem_5', { 'Speaker 1': 'Ada Lovelace' });
  unname('mem_1', 'Speaker 1');
  const second = search('speaker:ada crane', { limit: 2, cursor: String(first.cursor) });
  expect(second.hits.map(({ memoryId }) => memoryId)).toEqual(['mem_3', 'mem_2']);
  // No person has the whole name any more.
  renamePerson(mirror.database, { person: 'Ada', name: 'Ada Byron', now: 0 });
  const third = search('speaker:ada crane', { limit: 2, cursor: String(second.cursor) });
  expect(third.hits.map(({ memoryId, person }) => [memoryId, person])).toEqual([['mem_0', 'Ada Byron']]);
});

test.each(['__proto__', '', '…', 'Spéaker\0 "1"', '\ud800'])('a speaker %j can have a name', async (label) => {
  add('mem_1', [
    [label, 'crane'],
    ['\ufffd', 'crane'],
    ['\udfff', 'crane'],
  ]);
  name('mem_1', { [label]: 'Ada' });
  const { hits } = search('speaker:ada');
  expect(hits.map(({ speaker, person }) => [speaker, person])).toEqual([[label, 'Ada']]);
  expect(search('crane').hits.map(({ person }) => person)).toEqual(['Ada', null, null]);
  expect(await hasAllWords(mirror.database)).toBe(true);
});

test('a thousand people with a common word in their names are one condition', () => {
  add('mem_1', [['Speaker 1', 'A crane.']]);
  inTransaction(mirror.database, () => {
    const naming = { version: 1, at: 0, label: 'Speaker 1', labelNow: 'Speaker 1', state: 'certain' as const };
    for (let key = 1; key <= 1_000; key += 1) {
      writePerson(mirror.database, { key, name: `Ada ${key}`, folded: `ada ${key}`, isMe: false });
      writeNumber(mirror.database, key, key);
      writeNaming(mirror.database, { ...naming, memoryId: key === 1 ? 'mem_1' : `x${key}`, said: 'x', number: key });
    }
    markSpeakers(mirror.database, 'mem_1');
  });
  expect(found('speaker:ada')).toEqual(['mem_1 Speaker 1: Ada 1']);
  expect(found('crane -speaker:ada')).toEqual([]);
});

test('a damaged person has no name', () => {
  add('mem_1', [['Speaker 1', 'A crane.']]);
  name('mem_1', { 'Speaker 1': 'Ada' });
  mirror.database.exec("UPDATE people SET name = 'Eve', folded = 'eve'");
  expect([found('speaker:eve'), found('crane')]).toEqual([[], ['mem_1 Speaker 1: null']]);
});
