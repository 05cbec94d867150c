import { joinTexts, separatorBetween } from './join-texts.ts';
import { type Cue, normalizeTranscript } from './normalize-transcript.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** Consecutive segments of one speaker, in the stored order, as one text. */
export interface Passage {
  /** Speaker label as stored. */
  speaker: string;
  /** Texts of the segments on one line, joined as {@link joinTexts} does, with single spaces. */
  text: string;
  /** Indexes of the first and the last segment in `transcript.segments`. */
  segments: { first: number; last: number };
  /** Start of each segment in the text, in UTF-16 units. */
  starts: number[];
  /** Start of each segment in milliseconds from the start of the recording. */
  offsets: number[];
}

/**
 * Returns the passages of the transcript in the stored order. Search, quotes and receipts use them.
 *
 * Labels are compared as stored. Consecutive segments with a blank label are one passage. {@link turns} differ: they
 * are sorted by start, and blank labels stay apart. See section 2.3 of the specification.
 *
 * @example
 * ```ts
 * for (const { speaker, text, segments } of passages(memory)) console.log(`${segments.first}: ${speaker}: ${text}`);
 * ```
 */
export function passages(memory: TranscriptSource): Passage[] {
  const stored: Cue[] = [];
  for (const cue of normalizeTranscript(memory).cues) stored[cue.segment] = cue;
  return passagesOf(stored);
}

/** Returns the passages of the cues of a transcript in the stored order. */
export function passagesOf(stored: readonly Pick<Cue, 'start' | 'speaker' | 'text'>[]): Passage[] {
  const found: Passage[] = [];
  for (const [segment, { speaker, text, start }] of stored.entries()) {
    let passage = found.at(-1);
    if (passage === undefined || labelOf(passage.speaker) !== labelOf(speaker)) {
      passage = { speaker, text: '', segments: { first: segment, last: segment }, starts: [], offsets: [] };
      found.push(passage);
    }
    const own = passageText(text);
    passage.text += separatorBetween(passage.text, own);
    passage.starts.push(passage.text.length);
    passage.offsets.push(start);
    passage.text += own;
    passage.segments.last = segment;
  }
  return found;
}

/** Returns the text of a segment as it is in a passage. */
function passageText(text: string): string {
  return joinTexts([text]).replace(/\s+/g, ' ');
}

function labelOf(speaker: string): string {
  return speaker.trim() === '' ? '' : speaker;
}
