import { fold, matchMemory, parseQuery, prepareMemory } from '@memory-read/client/search';
import { storedSegments } from '@memory-read/client/transcript';
import { jsonLength } from '../output/json-length.ts';
import { decodeId, LONGEST_ID } from '../output/shown-id.ts';
import { shownNames } from '../output/shown-people.ts';
import { shownLabel, shownName, shownText } from '../output/shown-text.ts';
import { ToolError } from '../output/tool-error.ts';
import { findQuote } from '../receipt/find-quote.ts';
import { quoteContext } from '../receipt/quote-context.ts';
import { readReceipt } from '../receipt/read-receipt.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { verifyReceiptRead } from '../receipt/verify-receipt.ts';
import type { NamedMemory, ReadMemory } from '../sources/memory-source.ts';
import { findMemory, readMemory, unknownMemory } from './read-memory.ts';
import { object, receiptSchemas, schemas, type Tool, type ToolContext } from './tool.ts';

const LONGEST_QUOTE = 4_000;
/** Maximum characters of all receipts of one call as JSON. */
const RECEIPTS = 20_000;
const LONGEST_CONTEXT = 900;

/** Checks a quote or a receipt. */
export const verifyQuote: Tool = {
  name: 'verify_quote',
  title: 'Verify a quote',
  description:
    'Checks that words were said, and returns receipts that prove it. Pass id and quote, or a receipt. ' +
    'Quote only what is valid, and read its contexts first.',
  input: object({
    id: schemas.text,
    quote: schemas.text,
    receipt: receiptSchemas.input,
  }),
  output: object(
    {
      notice: schemas.notice,
      status: { type: 'string', enum: ['valid', 'superseded', 'refuted'] },
      reason: schemas.text,
      whole: schemas.flag,
      contexts: { type: 'array', items: schemas.text },
      valid_when_read: schemas.flag,
      occurrences: schemas.count,
      receipts: { type: 'array', items: receiptSchemas.output },
      nearest: object({ segment: schemas.count, speaker: schemas.text, text: schemas.text }),
    },
    ['notice', 'status'],
  ),
  run: async (context, input, signal) => {
    const receipt = input.object('receipt');
    const id = input.text('id', LONGEST_ID);
    const quote = input.text('quote', LONGEST_QUOTE);
    if (receipt !== undefined && id === undefined && quote === undefined) {
      return verifyGivenReceipt(context, receipt, signal);
    }
    if (receipt !== undefined || id === undefined || quote === undefined) {
      throw new ToolError(
        'Failed to call verify_quote: it takes id and quote, or a receipt. Pass either id and quote, or receipt.',
      );
    }
    return verifyWords(await readMemory(context.source, id, signal), quote);
  },
};

async function verifyGivenReceipt(context: ToolContext, given: unknown, signal: AbortSignal) {
  const receipt = readReceipt(given);
  if (receipt === undefined) return { status: 'refuted', reason: 'malformed' };
  const id = decodeId(receipt.memory_id);
  const read = await findMemory(context.source, id, signal);
  const verdict = read && verifyReceiptRead(receipt, read.memory, read.readAt);
  if (verdict?.status === 'refuted') return { ...verdict };
  if (verdict?.status === 'valid') return { status: 'valid', ...quoted(read, [receipt]) };
  const wasValid = await validWhenRead(context, receipt, { id, signal });
  // A source with a history can have versions of a memory that the account no longer has.
  if (verdict === undefined && wasValid === undefined) throw new ToolError(unknownMemory);
  return {
    status: 'superseded',
    ...(wasValid !== undefined && { valid_when_read: wasValid }),
    ...(verdict?.foundAt ? found(read, [verdict.foundAt]) : { receipts: [] }),
  };
}

/** Undefined if the source does not have the version of that time. */
async function validWhenRead(
  { source }: ToolContext,
  receipt: Receipt,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<boolean | undefined> {
  const readAt = new Date(receipt.read_at);
  if (Number.isNaN(readAt.getTime())) return undefined;
  const version = await source.getVersion?.(id, readAt, { signal });
  if (version === undefined) return undefined;
  const { status } = verifyReceiptRead(receipt, version.memory, version.readAt);
  return status === 'superseded' ? undefined : status === 'valid';
}

function verifyWords(read: ReadMemory, quote: string): Record<string, unknown> {
  const { receipts, occurrences } = findQuote(read.memory, quote, { readAt: read.readAt });
  if (occurrences > 0) return { status: 'valid', occurrences, ...found(read, receipts) };
  const nearest = findNearest(read, quote);
  return { status: 'refuted', reason: 'quote', occurrences, ...(nearest !== undefined && { nearest }) };
}

/** Returns the passage with most words of the quote, if it has at least half of them. */
function findNearest({ memory, names }: NamedMemory, quote: string) {
  const query = parseQuery(fold(quote), { kind: 'transcript' });
  const { hits } = matchMemory(prepareMemory(memory), query);
  const [best] = [...hits].sort((one, other) => one.lacks.length - other.lacks.length);
  if (best === undefined || best.lacks.length * 2 > query.terms.length) return undefined;
  const { segments, speaker, snippet } = best;
  const name = names?.get(speaker ?? '');
  return {
    segment: segments?.first ?? 0,
    speaker: shownLabel(speaker ?? ''),
    ...(name !== undefined && { person: shownName(name) }),
    text: shownText(snippet.text, 400),
  };
}

/** Returns receipts within the size of a result, and what a reader has to know about each. */
function found(read: NamedMemory | undefined, receipts: readonly Receipt[]) {
  let size = 0;
  const shown = receipts.filter((receipt) => {
    size += jsonLength(receipt);
    return size <= RECEIPTS;
  });
  return { ...quoted(read, receipts), receipts: shown };
}

/** Returns the facts about quotes that both ways to a verdict report. */
function quoted(read: NamedMemory | undefined, receipts: readonly Receipt[]) {
  const contexts = receipts.flatMap((receipt) => (read && quoteContext(read.memory, receipt)) ?? []);
  const segments = read === undefined ? [] : storedSegments(read.memory);
  const labels = receipts.map((receipt) => segments[receipt.segments[0]]?.speaker ?? '');
  return {
    whole: contexts.every(({ whole }) => whole),
    contexts: contexts.map(({ context }) => shownText(context, LONGEST_CONTEXT)),
    ...(read && shownNames(labels, read)),
  };
}
