import type { Segment } from '@memory-read/client';
import { joinTexts } from '@memory-read/client/transcript';
import { visibleText } from '@memory-read/contract/visible-text';

/** Consecutive segments of one speaker. */
export interface Passage {
  /** Visible label of the speaker. */
  speaker: string;
  /** Visible texts of the segments, joined as in {@link joinTexts}. */
  text: string;
  /** Position of each segment in the text; absent for a segment without visible text. */
  places: ({ start: number; end: number } | undefined)[];
}

/** Rules for the text of a passage. */
export interface PassageRules {
  /** Returns the visible part of a text. */
  visible: (text: string) => string;
  /** Joins two visible texts. */
  join: (texts: readonly string[]) => string;
}

/** The rules of receipts. */
export const passageRules: PassageRules = { visible: visibleText, join: joinTexts };

/**
 * Returns the passage of a range of segments; undefined if the range is outside of the transcript or has several
 * speakers.
 */
export function readPassage(
  segments: readonly Segment[],
  [first, last]: readonly [number, number],
  { visible, join }: PassageRules = passageRules,
): Passage | undefined {
  const label = segments[first]?.speaker ?? '';
  if (!(first >= 0 && first <= last && last < segments.length)) return undefined;
  const places: Passage['places'] = [];
  let whole = '';
  let before = '';
  for (let index = first; index <= last; index += 1) {
    const segment = segments[index];
    if (segment?.speaker !== label) return undefined;
    const text = visible(segment.text);
    if (text === '') {
      places.push(undefined);
      continue;
    }
    whole += before === '' ? text : join([before, text]).slice(before.length);
    before = text;
    places.push({ start: whole.length - text.length, end: whole.length });
  }
  return { speaker: visible(label), text: whole, places };
}
