import type { Memory, Segment } from '@memory-read/client';
import { storedSegments } from '@memory-read/client/transcript';
import { systemClock } from '@memory-read/contract/date-time';
import { isWhole, touchesEnds } from './check-quote.ts';
import { encodeId } from './encode-id.ts';
import { passageTimes } from './passage-times.ts';
import { readPassage } from './read-passage.ts';
import type { Receipt } from './receipt.ts';
import { transcriptDigest } from './transcript-digest.ts';

/** Position of the words to quote. */
export interface QuotedPassage {
  /** Indexes of the first and the last segment in the stored order, from 0. */
  segments: [number, number];
  /** Start and end in the visible text of these segments, in UTF-16 units. Default: the whole text. */
  chars?: [number, number] | undefined;
  /** Time at which the memory was read. Default: now. */
  readAt?: Date | undefined;
}

/**
 * Returns a receipt for a passage of a memory.
 *
 * It returns undefined if the segments do not exist, are of several speakers, or contain no words. It also does so if
 * `chars` omit one of the segments or split a word. `memory` is not changed.
 *
 * @example
 * ```ts
 * const receipt = createReceipt(memory, { segments: [0, 0], chars: [0, 13] });
 * console.log(receipt?.quote ?? 'This segment has no such words.');
 * ```
 */
export function createReceipt(memory: Memory, passage: QuotedPassage): Receipt | undefined {
  return receiptMaker(memory, passage.readAt ?? systemClock.now())(passage);
}

/** Returns a function that creates receipts of one memory. It computes digest and times once, when they are needed. */
export function receiptMaker(memory: Memory, readAt: Date): (passage: QuotedPassage) => Receipt | undefined {
  let stored: Segment[] | undefined;
  let digest: string | undefined;
  let times: ReturnType<typeof passageTimes> | undefined;
  return ({ segments: [first, last], chars }) => {
    if (!Number.isInteger(first) || !Number.isInteger(last)) return undefined;
    stored ??= storedSegments(memory);
    const passage = readPassage(stored, [first, last]);
    if (passage === undefined) return undefined;
    const [start, end] = chars ?? [0, passage.text.length];
    if (!Number.isInteger(start) || !Number.isInteger(end)) return undefined;
    if (!isWhole(passage.text, [start, end]) || !touchesEnds(passage, [start, end])) return undefined;
    digest ??= transcriptDigest(memory);
    times ??= passageTimes(memory);
    const time = times([first, last]);
    return {
      memory_id: encodeId(memory.id),
      transcript_digest: digest,
      segments: [first, last],
      chars: [start, end],
      speaker: passage.speaker,
      start_ms: time.start,
      end_ms: time.end,
      quote: passage.text.slice(start, end),
      read_at: readAt.toISOString(),
    };
  };
}
