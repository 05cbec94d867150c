import type { Memory } from '@memory-read/client';
import { storedSegments } from '@memory-read/client/transcript';
import { systemClock } from '@memory-read/contract/date-time';
import { visibleText } from '@memory-read/contract/visible-text';
import { isWhole, touchesEnds } from './check-quote.ts';
import { receiptMaker } from './create-receipt.ts';
import { earlierSigns, earlierText, joinWithSpaces } from './earlier-rules.ts';
import { encodeId } from './encode-id.ts';
import { findOccurrences } from './find-quote.ts';
import { passageTimes } from './passage-times.ts';
import { type PassageRules, passageRules, readPassage } from './read-passage.ts';
import { readReceipt } from './read-receipt.ts';
import type { Receipt } from './receipt.ts';
import { type WordSigns, wordSigns } from './signs.ts';
import { transcriptDigest } from './transcript-digest.ts';

/** The part of a receipt that is wrong. The first reason in this order is reported. */
export type RefutedReason = 'malformed' | 'memory' | 'segments' | 'speaker' | 'quote' | 'time';

/** Result of {@link verifyReceipt}. */
export type ReceiptVerdict =
  | { status: 'valid' /** Whether the quote is all that its segments say. */; whole: boolean }
  | {
      status: 'superseded';
      /** Receipt of the same words of the same speaker in the current transcript; null if they are not in it. */
      foundAt: Receipt | null;
    }
  | { status: 'refuted'; reason: RefutedReason };

/**
 * Returns whether the words of a receipt were said, by this speaker, at this time, in this version of the memory.
 *
 * The receipt can be any value: this function does not throw for it, and changes neither argument. `superseded` means
 * that the transcript has changed since the quote, and proves nothing about the earlier transcript. It is also the status
 * of a receipt that an earlier version wrote by other rules of hidden characters and words. `read_at` is not verified.
 *
 * @example
 * ```ts
 * for (const receipt of receipts) {
 *   const verdict = verifyReceipt(receipt, await client.getMemory('mem_2'));
 *   if (verdict.status === 'valid') console.log(verdict.whole ? 'all of the words' : 'a part of the words');
 *   else if (verdict.status === 'superseded') console.log('The transcript has changed.', verdict.foundAt);
 *   else console.log(`The receipt is wrong about the ${verdict.reason}.`);
 * }
 * ```
 */
export function verifyReceipt(receipt: unknown, memory: Memory): ReceiptVerdict {
  return verifyReceiptRead(receipt, memory);
}

/** Verifies a receipt against a memory that was read at a known time. */
export function verifyReceiptRead(receipt: unknown, memory: Memory, readAt?: Date): ReceiptVerdict {
  const read = readReceipt(receipt);
  if (read === undefined) return { status: 'refuted', reason: 'malformed' };
  if (read.memory_id !== encodeId(memory.id)) return { status: 'refuted', reason: 'memory' };
  if (read.transcript_digest !== transcriptDigest(memory)) {
    return superseded(read, memory, readAt);
  }
  const verdict = judge(read, memory, { ...passageRules, signs: wordSigns });
  if (verdict.status === 'valid') return verdict;
  const spaced = judge(read, memory, { visible: visibleText, join: joinWithSpaces, signs: wordSigns });
  if (spaced.status === 'valid') return spaced;
  const earlier = judge(read, memory, { visible: earlierText, join: joinWithSpaces, signs: earlierSigns });
  return earlier.status === 'valid' ? superseded(read, memory, readAt) : verdict;
}

function superseded(receipt: Receipt, memory: Memory, readAt: Date = systemClock.now()): ReceiptVerdict {
  return { status: 'superseded', foundAt: findAgain(receipt, memory, readAt) };
}

function judge(
  { segments, chars, speaker, quote, start_ms, end_ms }: Receipt,
  memory: Memory,
  { signs, ...rules }: PassageRules & { signs: WordSigns },
): ReceiptVerdict {
  const refuted = (reason: RefutedReason): ReceiptVerdict => ({ status: 'refuted', reason });
  const stored = storedSegments(memory);
  if (segments[1] >= stored.length) return refuted('segments');
  const passage = readPassage(stored, segments, rules);
  if (passage === undefined) return refuted('speaker');
  if (!touchesEnds(passage, chars)) return refuted('segments');
  if (passage.speaker !== speaker) return refuted('speaker');
  if (passage.text.slice(...chars) !== quote || !isWhole(passage.text, chars, signs)) return refuted('quote');
  const time = passageTimes(memory)(segments);
  if (time.start !== start_ms || time.end !== end_ms) return refuted('time');
  return { status: 'valid', whole: quote.length === passage.text.length };
}

/** If there are several occurrences, the one nearest to the time of the receipt is used. */
function findAgain({ quote, speaker, start_ms }: Receipt, memory: Memory, readAt: Date): Receipt | null {
  const times = passageTimes(memory);
  const places = findOccurrences(memory, quote, visibleText(speaker)).map((place) => ({
    place,
    distance: Math.abs(times(place.segments).start - start_ms),
  }));
  const [nearest] = places.sort((one, other) => one.distance - other.distance);
  return nearest === undefined ? null : (receiptMaker(memory, readAt)(nearest.place) ?? null);
}
