import type { Memory } from '@memory-read/client';
import { rangePage } from '../output/cursor.ts';
import { jsonLength } from '../output/json-length.ts';
import { localTimeIn } from '../output/local-time.ts';
import { encodeId } from '../output/shown-id.ts';
import { shownText } from '../output/shown-text.ts';
import { ToolError } from '../output/tool-error.ts';
import { createReceipt } from '../receipt/create-receipt.ts';
import { readPassage } from '../receipt/read-passage.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { cutPassage } from '../search/cut-passage.ts';
import { foldLabel } from '../search/fold-text.ts';
import { excludesWords, parseQuery } from '../search/parse-query.ts';
import type { SearchHit } from '../sources/memory-source.ts';
import { object, receiptSchemas, schemas, type Tool, type ToolContext } from './tool.ts';

const MOST_RESULTS = 10;
const LONGEST_QUERY = 400;
/**
 * Maximum characters of a receipt as JSON. A longer receipt is omitted, because the label of a speaker has no limit.
 */
const LONGEST_RECEIPT = 6_000;
const LONGEST_PAGE = 22_000;

/** Finds memories by words. */
export const search: Tool = {
  name: 'search',
  title: 'Search memories',
  description:
    'Finds recordings by words said in them, or in title or summary. All words must occur; "…" is a phrase. ' +
    'While next_cursor is there, the search is not complete: call again with it.',
  input: object(
    {
      query: schemas.text,
      since: schemas.since,
      until: schemas.until,
      time_zone: schemas.timeZone,
      speaker: { type: 'string', description: 'Only what this speaker said' },
      limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS },
      cursor: schemas.cursor,
    },
    ['query'],
  ),
  output: object(
    {
      notice: schemas.notice,
      results: {
        type: 'array',
        items: object(
          {
            id: schemas.text,
            title: schemas.text,
            url: schemas.text,
            started_at: schemas.text,
            local: schemas.text,
            summary: schemas.text,
            segment: schemas.count,
            receipt: receiptSchemas.output,
          },
          ['id', 'title', 'url', 'started_at'],
        ),
      },
      time_zone: schemas.text,
      coverage: object({
        complete: schemas.flag,
        memories: schemas.count,
        transcripts_read: schemas.count,
        memories_left: schemas.count,
        unreadable: schemas.count,
        stopped: schemas.text,
      }),
      next_cursor: schemas.text,
    },
    ['notice', 'results', 'coverage'],
  ),
  run: async (context, input, signal) => {
    const query = input.requiredText('query', LONGEST_QUERY);
    if (excludesWords(query)) {
      throw new ToolError(
        'Failed to call search: query excludes words with -, which is not supported. Remove them, or put them in quotation marks to find them.',
      );
    }
    const terms = parseQuery(query);
    if (terms === undefined) {
      throw new ToolError('Failed to call search: query has no word, or more than 12. Pass 1 to 12 words.');
    }
    const label = input.text('speaker', LONGEST_QUERY);
    const speaker = label === undefined ? undefined : foldLabel(label);
    if (speaker === '') {
      throw new ToolError('Failed to call search: speaker is empty. Pass the label of a speaker, or leave it out.');
    }
    const range = input.range(context);
    const limit = input.count('limit', { min: 1, max: MOST_RESULTS }) ?? MOST_RESULTS;
    const { since, until, after, write } = rangePage(
      'search',
      { terms, speaker },
      { ...range, cursor: input.cursor() },
    );
    const toLocal = localTimeIn(range.timeZone);

    const found: { result: object; score: number }[] = [];
    let size = 0;
    const take = (hit: SearchHit) => {
      if (found.length === limit) return false;
      const result = { ...describeHit(context, hit, terms), ...toLocal(hit.memory.started_at) };
      const length = jsonLength(result);
      if (found.length > 0 && size + length > LONGEST_PAGE) return false;
      size += length;
      found.push({ result, score: hit.score });
      return true;
    };
    const { coverage, next } = await context.source.search({ terms, speaker, since, until }, { after, take, signal });
    return {
      results: found.sort((one, other) => other.score - one.score).map(({ result }) => result),
      time_zone: range.timeZone,
      coverage,
      ...(next !== undefined && { next_cursor: write(next) }),
    };
  },
};

function describeHit(context: ToolContext, { memory, readAt, segment }: SearchHit, terms: readonly string[]) {
  const receipt = segment === undefined ? undefined : quoteSegment(memory, { segment, terms, readAt });
  return {
    id: encodeId(memory.id),
    title: shownText(memory.name, 200),
    url: context.memoryUrl(memory.id),
    started_at: shownText(memory.started_at, 40),
    ...(memory.summary !== null && { summary: shownText(memory.summary.quick_summary, 300) }),
    ...(segment !== undefined && { segment }),
    ...(receipt !== undefined && jsonLength(receipt) <= LONGEST_RECEIPT && { receipt }),
  };
}

function quoteSegment(
  memory: Memory,
  { segment, terms, readAt }: { segment: number; terms: readonly string[]; readAt: Date },
): Receipt | undefined {
  const passage = readPassage(memory, [segment, segment]);
  const chars = passage && cutPassage(passage.text, terms);
  return chars && createReceipt(memory, { segments: [segment, segment], chars, readAt });
}
