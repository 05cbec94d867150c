import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '@memory-read/client';
import { parseQuery, type SearchMiss, searchMemories } from '@memory-read/client/search';
import { allOf } from '@memory-read/test-kit/all-of';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMemory } from '../../history/get-memory.ts';
import type { MirroredMemory } from '../../history/mirrored-memory.ts';
import { listStoredMemories, shortHash, textReader } from '../../history/stored-memories.ts';
import { nameSpeaker } from '../../people/change-names.ts';
import { namesReader } from '../../people/stored-names.ts';
import { openTestMirror } from '../../testing/open-test-mirror.ts';
import { readFolder } from '../../testing/read-folder.ts';
import { scriptWords } from '../../testing/script-words.ts';
import type { IndexDetail } from '../index-data.ts';
import { writePages } from '../write-pages.ts';
import { explainMiss, findHits } from './find-hits.ts';
import { openMemories } from './memories.ts';

const SEED = 20_261_126;
const QUESTIONS = 150;

const speakers = ['Speaker 1', 'Łukasz', 'Ada\u202e', '', ' ', '…'];
const { Latin, Japanese, Thai, Arabic, Hangul } = scriptWords;
const words = [Latin, Japanese, Thai, Arabic, Hangul].flatMap((script) => script?.words ?? []);
const word = fc.constantFrom(
  ...words,
  'one',
  'two',
  'three',
  'Łódź',
  'pre\u202emium',
  '$79',
  '\u202e',
  '\0',
  '</script>',
);

const text = fc
  .array(fc.tuple(word, fc.constantFrom('', ' ', '\n', '  ', '. ')), { maxLength: 4 })
  .map((parts) => parts.flat().join(''));
/** Times that are in order, equal, out of order, before the recording, or not times. */
const second = fc.constantFrom('00:01', '00:01', '00:00', '30:00', '59:59.5');
const segment = fc.record({
  speaker: fc.constantFrom(...speakers),
  start_at: fc.oneof(
    { weight: 9, arbitrary: second.map((time) => `2026-03-01T10:${time}Z`) },
    { weight: 1, arbitrary: fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z', 'soon') },
  ),
  text,
});
const monologue = fc
  .tuple(fc.array(text, { minLength: 100, maxLength: 140 }), fc.constantFrom(...speakers))
  .map(([texts, speaker]) => texts.map((said) => ({ speaker, start_at: '2026-03-01T10:00:00Z', text: said })));
const memory = fc.record({
  name: text,
  // In Newfoundland, the clock was set back from November to October. In one second, the mirror has another order.
  started_at: fc.constantFrom(
    '2009-11-01T02:30:30.2Z',
    '2009-11-01T02:30:30.7Z',
    '2009-11-01T02:40:00Z',
    '2009-10-20T00:00:00Z',
    '2026-01-01T00:00:00Z',
    '1066-10-14T09:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ),
  summary: fc.option(fc.record({ quick_summary: text, key_takeaways: fc.array(text, { maxLength: 2 }) })),
  transcript: fc.option(
    fc.record({
      segments: fc.oneof(
        { weight: 9, arbitrary: fc.array(segment, { maxLength: 8 }) },
        { weight: 1, arbitrary: monologue },
      ),
    }),
  ),
});

/** Names of speakers of a memory by label. "Ada" is the label of another speaker, too. */
const names = fc.dictionary(
  fc.constantFrom(...speakers),
  fc.constantFrom('Ada', 'Ada Łukasz', 'one', '</script>\u202e', '会議 Ada', '…'),
  { maxKeys: 3, noNullPrototype: true },
);
const asked = [...speakers, 'Ada', 'ada łukasz', 'LUKASZ', 'one', '会議', 'nobody'];

const term = fc.oneof(
  { weight: 8, arbitrary: word },
  { weight: 2, arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }).map((parts) => `"${parts.join(' ')}"`) },
  { weight: 1, arbitrary: word.map((whole) => `${[...whole].slice(0, 3).join('')}*`) },
  { weight: 1, arbitrary: word.map((excluded) => `-${excluded}`) },
  { weight: 2, arbitrary: fc.constantFrom(...asked).map((label) => `speaker:"${label}"`) },
  { weight: 1, arbitrary: fc.constantFrom(...asked).map((label) => `-speaker:"${label}"`) },
  { weight: 1, arbitrary: fc.constant('nowhere') },
);
const question = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' '));

/** Reads the files of `index.html` as a browser does. */
function openPage(folder: string) {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const [, json = ''] = /id="memories">(.*?)<\/script>/s.exec(read('index.html')) ?? [];
  const loaded: string[] = [];
  const memories = openMemories(JSON.parse(json), async (month) => {
    loaded.push(month);
    let arrived: readonly IndexDetail[] = [];
    new Function('memoryReadMonth', read(`index/${month}.js`))((_: string, details: IndexDetail[]) => {
      arrived = details;
    });
    return arrived;
  });
  return { memories, loaded };
}

const everything = { isWanted: () => true };

test(`${QUESTIONS} questions find in the files of the page what searchMemories finds in the memories`, async () => {
  const mirror = openTestMirror();
  for (const [index, content] of fc.sample(memory, { numRuns: 40, seed: SEED }).entries())
    mirror.keep({ id: `mem_${index}`, ...content });
  const given = fc.sample(names, { numRuns: 40, seed: SEED });
  for (const [index, own] of given.entries()) {
    const memoryId = `mem_${index}`;
    const { memory } = getMemory(mirror.database, memoryId, undefined) as MirroredMemory;
    const labels = memory.transcript?.segments.map(({ speaker }) => speaker) ?? [];
    for (const [label, person] of Object.entries(own)) {
      if (labels.includes(label)) nameSpeaker(mirror.database, { memoryId, label, person, me: false, now: 0 });
    }
  }
  await writePages(mirror, { timeZone: 'America/St_Johns', isInRange: () => true });
  const { memories } = openPage(mirror.folder);

  const readText = textReader(mirror.database);
  const stored = listStoredMemories(mirror.database).map((one) => {
    const memory = readText(one) as Memory;
    return { ...memory, names: namesReader(mirror.database)(memory.id).names };
  });
  const shown = <Found extends { memoryId: string; startedAt: string }>({ startedAt: _, ...hit }: Found) => hit;
  const withKeys = <Found extends { memoryId: string; startedAt: string }>(hit: Found) =>
    shown({ ...hit, memoryId: shortHash(hit.memoryId) });
  const found = { together: 0, apart: 0, misses: 0, people: 0 };
  for (const asked of fc.sample(question, { numRuns: QUESTIONS, seed: SEED })) {
    const query = parseQuery(asked, { people: memories.people });
    const hits = (await allOf(findHits(memories.readAll(everything), query))).map(shown);
    const expected = searchMemories(stored, asked);
    expect(hits, asked).toEqual(expected.hits.map(withKeys));
    for (const { match } of hits) found[match] += 1;
    if (query.speakers.length > 0 && hits.some(({ person }) => person !== null)) found.people += 1;
    if (expected.miss === null) continue;
    found.misses += 1;
    const { nearest, ...counts }: SearchMiss = await explainMiss(memories.readAll(everything), query);
    const { nearest: expectedNearest, ...expectedCounts } = expected.miss;
    expect(counts, asked).toEqual(expectedCounts);
    expect(nearest.map(shown), asked).toEqual(expectedNearest.map(withKeys));
  }
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(QUESTIONS / 20);
});

test('60,000 labels, and texts of 400,000 characters, are written, read and found', async () => {
  const mirror = openTestMirror();
  const long = `${'We talk about the submarine. '.repeat(13_800)}The end is near.`;
  const start_at = '2026-03-01T10:00:00Z';
  const said = (speaker: string, text: string) => ({ speaker, start_at, end_at: start_at, text });
  const labels = Array.from({ length: 60_000 }, (_, index) => `Speaker ${index}`);
  mirror.keep({ id: 'labels', transcript: { segments: labels.map((label) => said(label, `Hello from ${label}.`)) } });
  mirror.keep({
    id: 'texts',
    name: long,
    summary: { quick_summary: long, key_takeaways: [long] },
    transcript: { segments: [said('Ada', long)] },
  });
  await writePages(mirror, { timeZone: 'UTC', isInRange: () => true });
  const page = [...readFolder(join(mirror.folder, 'pages')).values()].find((text) => text.includes('Speaker 59999'));
  expect(JSON.parse(/^speakers: (.*)$/m.exec(page ?? '')?.[1] ?? '')).toEqual(labels);

  const { memories } = openPage(mirror.folder);
  const find = (asked: string) => allOf(findHits(memories.readAll(everything), parseQuery(asked)));
  expect(await find('speaker:"Speaker 59999" hello')).toMatchObject([{ segments: { first: 59_999, last: 59_999 } }]);
  const hits = await find('"end is near"');
  expect(hits.map(({ kind }) => kind)).toEqual(['name', 'summary', 'takeaway', 'transcript']);
  for (const { snippet } of hits) expect(snippet.text.endsWith('The end is near.')).toBe(true);
});

test('a month is loaded once, and a memory is folded once; a search that is not wanted loads nothing more', async () => {
  const mirror = openTestMirror();
  for (const month of ['01', '02', '03']) mirror.keep({ id: month, started_at: `2026-${month}-01T10:00:00Z` });
  await writePages(mirror, { timeZone: 'UTC', isInRange: () => true });
  const { memories, loaded } = openPage(mirror.folder);
  const read = (isWanted: () => boolean) => allOf(memories.readAll({ isWanted }));
  let asked = 0;
  expect(await read(() => ++asked < 2)).toHaveLength(1);
  expect(loaded).toEqual(['2026-03', '2026-02']);
  const first = await read(() => true);
  const second = await read(() => true);
  expect(loaded).toEqual(['2026-03', '2026-02', '2026-01']);
  expect(first).toHaveLength(3);
  for (const [index, memory] of second.entries()) expect(memory).toBe(first[index]);
});
