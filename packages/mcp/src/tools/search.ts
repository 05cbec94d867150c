import type { Memory } from '@memory-read/client';
import { fold, isEmptyQuery, parseQuery, type Query, type Term } from '@memory-read/client/search';
import { storedSegments } from '@memory-read/client/transcript';
import { notice } from '../output/answer.ts';
import { rangePage } from '../output/cursor.ts';
import { cutPassage } from '../output/cut-passage.ts';
import { jsonLength } from '../output/json-length.ts';
import { localTimeIn } from '../output/local-time.ts';
import { encodeId } from '../output/shown-id.ts';
import { shownList } from '../output/shown-people.ts';
import { shownLabel, shownName, shownText } from '../output/shown-text.ts';
import { ToolError } from '../output/tool-error.ts';
import { createReceipt } from '../receipt/create-receipt.ts';
import { readPassage } from '../receipt/read-passage.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { segmentFinder } from '../receipt/segment-finder.ts';
import { positionOf } from '../sources/list-order.ts';
import type { SearchHit, SourceMiss } from '../sources/memory-source.ts';
import { object, receiptSchemas, schemas, type Tool, type ToolContext } from './tool.ts';

const MOST_RESULTS = 10;
const LONGEST_QUERY = 400;
const MOST_WORDS = 12;
/**
 * Maximum characters of a receipt as JSON. A longer receipt is omitted, because the label of a speaker has no limit.
 */
const LONGEST_RECEIPT = 6_000;
const LONGEST_PAGE = 22_000;

const texts = { type: 'array', items: schemas.text };

const result = object(
  {
    id: schemas.text,
    title: schemas.text,
    url: schemas.text,
    started_at: schemas.text,
    local: schemas.text,
    match: schemas.text,
    lacks: texts,
    summary: schemas.text,
    segment: schemas.count,
    person: schemas.text,
    receipt: receiptSchemas.output,
  },
  ['id', 'title', 'url', 'started_at'],
);

/** Returns why there is no result, without a text of a recording or of the query. */
function explainMiss({ speakers, without, withoutSpeakers }: Query, miss: SourceMiss): string {
  const { nearest, outsideRange, people } = miss;
  const selects = speakers.length + without.length + withoutSpeakers.length > 0;
  const isUnknown = miss.speakers.some(({ memories }) => memories === 0);
  return [
    isUnknown &&
      people === undefined &&
      outsideRange === 0 &&
      'Speakers have labels here, and no names of people: search for words, without speaker.',
    outsideRange > 0 && `The range leaves out ${outsideRange} of the memories.`,
    `No memory has all words${selects ? ' in the texts that speakers and -words select' : ''}.`,
    nearest.length > 0 && 'nearest has some of them and does not answer the query.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Finds memories by words. */
export const search: Tool = {
  name: 'search',
  title: 'Search memories',
  description:
    'Finds recordings by words said, in title or summary. All words must occur, in any order; "…" is an exact phrase, ' +
    '-word excludes. nearest is no result. If next_cursor is there, call again with it.',
  input: object(
    {
      query: schemas.text,
      since: schemas.since,
      until: schemas.until,
      time_zone: schemas.timeZone,
      speaker: { type: 'string', description: 'Label or name of who said it' },
      limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS },
      cursor: schemas.cursor,
    },
    ['query'],
  ),
  output: object(
    {
      notice: schemas.notice,
      results: { type: 'array', items: result },
      time_zone: schemas.text,
      coverage: object({
        complete: schemas.flag,
        memories: schemas.count,
        transcripts_read: schemas.count,
        memories_left: schemas.count,
        unreadable: schemas.count,
        stopped: schemas.text,
      }),
      words: { type: 'array', items: object({ word: schemas.text, memories: schemas.count }) },
      nearest: { type: 'array', items: object({ missing: texts }) },
      next_cursor: schemas.text,
    },
    ['notice', 'results', 'coverage'],
  ),
  run: async (context, input, signal) => {
    const speaker = input.text('speaker', LONGEST_QUERY);
    const text =
      speaker === undefined ? input.requiredText('query', LONGEST_QUERY) : (input.text('query', LONGEST_QUERY) ?? '');
    if (speaker?.trim() === '') {
      throw new ToolError('Failed to call search: speaker is empty. Pass the label of a speaker, or leave it out.');
    }
    const query = parseQuery(text, { speaker });
    if (isEmptyQuery(query) || countWords(query) > MOST_WORDS) {
      throw new ToolError('Failed to call search: query has no word to find, or more than 12. Pass 1 to 12 words.');
    }
    const range = input.range(context);
    const limit = input.count('limit', { min: 1, max: MOST_RESULTS }) ?? MOST_RESULTS;
    const { since, until, after, write } = rangePage('search', { text, speaker }, { ...range, cursor: input.cursor() });
    const toLocal = localTimeIn(range.timeZone);

    const describe = (hit: SearchHit) => ({
      ...describeHit(context, hit, query.terms),
      ...toLocal(hit.memory.started_at),
    });
    const found: Found[] = [];
    let size = 0;
    const take = (hit: SearchHit) => {
      if (found.length === limit) return false;
      const result = describe(hit);
      const length = jsonLength(result);
      if (found.length > 0 && size + length > LONGEST_PAGE) return false;
      size += length;
      found.push({ result, isTogether: hit.hit.match === 'together', start: positionOf(hit.memory)[0] });
      return true;
    };
    const question = { text, query, speaker, since, until };
    const { coverage, next, miss } = await context.source.search(question, { after, take, signal });
    const isSummary = found.some(({ result }) => result.segment === undefined);
    return {
      ...(isSummary && { notice: `${notice} A result without segment is found by title or summary: fetch it.` }),
      ...(miss !== undefined && { notice: `${notice} ${explainMiss(query, miss)}` }),
      results: found.sort(compareFound).map((one) => one.result),
      time_zone: range.timeZone,
      coverage,
      ...(miss !== undefined && {
        words: miss.words.map(({ text: word, memories }) => ({ word: shownText(word, LONGEST_QUERY), memories })),
        ...(miss.speakers.length > 0 && {
          speakers: miss.speakers.map(({ label, memories }) => ({ speaker: shownLabel(label), memories })),
        }),
        ...shownList(miss.people ?? []),
        ...(miss.outsideRange > 0 && { outside_range: miss.outsideRange }),
        nearest: miss.nearest.map(({ missing, ...hit }) => ({ ...describe(hit), missing: shownWords(missing) })),
      }),
      ...(next !== undefined && { next_cursor: write(next) }),
    };
  },
};

interface Found {
  result: ReturnType<typeof describeHit>;
  isTogether: boolean;
  start: number;
}

/** The API is searched in titles first, so that the hits of a page are in no order. */
function compareFound(one: Found, other: Found): number {
  return Number(other.isTogether) - Number(one.isTogether) || other.start - one.start;
}

/** “don’t” is one word, although its fold is two. */
function countWords({ terms, without }: Query): number {
  const words = [...terms, ...without].flatMap(({ text }) => text.split(/\s+/));
  return words.filter((word) => fold(word) !== ' ').length;
}

function shownWords(words: readonly string[]): string[] {
  return words.map((word) => shownText(word, LONGEST_QUERY));
}

function describeHit(context: ToolContext, { memory, readAt, hit }: SearchHit, terms: readonly Term[]) {
  const { first, last } = hit.segments ?? { first: 0, last: -1 };
  const isThere = first <= last && last < storedSegments(memory).length;
  const receipt = isThere ? quoteSegments(memory, { segments: [first, last], terms, readAt }) : undefined;
  return {
    id: encodeId(memory.id),
    title: shownText(memory.name, 200),
    url: context.memoryUrl(memory.id),
    started_at: shownText(memory.started_at, 40),
    match: hit.match,
    ...(hit.lacks.length > 0 && { lacks: shownWords(hit.lacks) }),
    ...(memory.summary !== null && { summary: shownText(memory.summary.quick_summary, 300) }),
    ...(isThere && { segment: first }),
    ...(hit.person !== null && { person: shownName(hit.person) }),
    ...(receipt !== undefined && jsonLength(receipt) <= LONGEST_RECEIPT && { receipt }),
  };
}

/** Returns a receipt of the part with most of the terms. It names only the segments that the part is in. */
function quoteSegments(
  memory: Memory,
  { segments: [first, last], terms, readAt }: { segments: [number, number]; terms: readonly Term[]; readAt: Date },
): Receipt | undefined {
  const passage = readPassage(storedSegments(memory), [first, last]);
  const range = passage && cutPassage(passage.text, terms);
  if (passage === undefined || range === undefined) return undefined;
  const [from, to] = segmentFinder(passage.places)(...range);
  const offset = passage.places[from]?.start ?? 0;
  const chars: [number, number] = [range[0] - offset, range[1] - offset];
  return createReceipt(memory, { segments: [first + from, first + to], chars, readAt });
}
