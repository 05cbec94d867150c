import type { Memory, Segment } from '@memory-read/client';
import { isUnspaced, storedSegments } from '@memory-read/client/transcript';
import { systemClock } from '@memory-read/contract/date-time';
import { visibleText } from '@memory-read/contract/visible-text';
import { isWhole } from './check-quote.ts';
import { receiptMaker } from './create-receipt.ts';
import { readPassage } from './read-passage.ts';
import type { Receipt } from './receipt.ts';
import { segmentFinder } from './segment-finder.ts';
import { apostrophes, hyphens } from './signs.ts';

const singleQuotes = new RegExp(`[${apostrophes}]`, 'g');
const dashes = new RegExp(`[${hyphens}\\u2014\\u2015]`, 'g');

/** Options of {@link findQuote}. */
export interface FindQuoteOptions {
  /** Maximum number of receipts. Default: 3. */
  limit?: number | undefined;
  /** Time at which the memory was read. Default: now. */
  readAt?: Date | undefined;
}

/** Result of {@link findQuote}. */
export interface FoundQuote {
  /** A receipt for each of the first occurrences. */
  receipts: Receipt[];
  /** Number of times that the words were said. */
  occurrences: number;
}

/** Words of one speaker in a memory. */
interface Occurrence {
  segments: [number, number];
  chars: [number, number];
}

/**
 * Returns receipts of the passages where words were said, in the stored order.
 *
 * Quotation marks of all styles are equal, and so are dashes. White space beside a script without spaces, such as
 * Japanese, does not count. Case and all other characters have to agree. A receipt quotes the transcript, not the argument. A quote without a letter or a digit, or one that splits a word, is not
 * found.
 *
 * @example
 * ```ts
 * const memory = await client.getMemory('mem_2');
 * const { receipts } = findQuote(memory, 'fog horn');
 * for (const { speaker, start_ms, quote } of receipts) console.log(`${speaker}, after ${start_ms} ms: ${quote}`);
 * ```
 */
export function findQuote(memory: Memory, quote: string, options: FindQuoteOptions = {}): FoundQuote {
  const { limit = 3, readAt = systemClock.now() } = options;
  const occurrences = findOccurrences(memory, quote);
  const makeReceipt = receiptMaker(memory, readAt);
  const receipts = occurrences.slice(0, limit).flatMap((occurrence) => makeReceipt(occurrence) ?? []);
  return { receipts, occurrences: occurrences.length };
}

/** Returns every occurrence of the words, or only those of one speaker. */
export function findOccurrences(memory: Memory, quote: string, speaker?: string): Occurrence[] {
  const { text: wanted } = withoutSpaces(fold(visibleText(quote)));
  if (!/[\p{L}\p{N}]/u.test(wanted)) return [];
  const found: Occurrence[] = [];
  const segments = storedSegments(memory);
  for (const [first, last] of runsOf(segments)) {
    const passage = readPassage(segments, [first, last]);
    if (passage === undefined || (speaker !== undefined && passage.speaker !== speaker)) continue;
    const { text, places } = passage;
    const folded = withoutSpaces(fold(text));
    const segmentsAt = segmentFinder(places);
    for (let at = folded.text.indexOf(wanted); at !== -1; ) {
      const start = folded.offsetOf(at);
      const end = folded.offsetOf(at + wanted.length - 1) + 1;
      const [from, to] = segmentsAt(start, end);
      const offset = places[from]?.start ?? 0;
      const chars: [number, number] = [start - offset, end - offset];
      // The neighbours in other segments do not count, as in a receipt of these segments.
      const isFound = isWhole(text.slice(offset, places[to]?.end), chars);
      if (isFound) found.push({ segments: [first + from, first + to], chars });
      at = folded.text.indexOf(wanted, isFound ? at + wanted.length : at + 1);
    }
  }
  return found;
}

/** Returns the ranges of consecutive segments with the same label. */
function runsOf(segments: readonly Segment[]): [number, number][] {
  const runs: [number, number][] = [];
  let label: string | undefined;
  for (const [index, { speaker: own }] of segments.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && own === label) run[1] = index;
    else runs.push([index, index]);
    label = own;
  }
  return runs;
}

/** Each replacement has the length of the original, so that offsets stay the same. */
function fold(text: string): string {
  return text
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033\u300c-\u300f\u301d-\u301f\uff02]/g, '"')
    .replace(singleQuotes, "'")
    .replace(dashes, '-');
}

/** Removes the spaces beside characters of scripts without spaces. `offsetOf` returns the offset in the original. */
function withoutSpaces(text: string): { text: string; offsetOf: (unit: number) => number } {
  const removed: number[] = [];
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
    if (isUnspaced(before) || isUnspaced(after)) removed.push(at);
  }
  if (removed.length === 0) return { text, offsetOf: (unit) => unit };
  const spaces = new Set(removed);
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length; offset += 1) if (!spaces.has(offset)) offsets.push(offset);
  const kept = offsets.map((offset) => text[offset]).join('');
  return { text: kept, offsetOf: (unit) => offsets[unit] ?? text.length };
}
