import type { Memory } from '@memory-read/client';
import { segmentsOf, textOf } from './segments-of.ts';
import { visibleText } from './visible-text.ts';

/** Consecutive segments of one speaker. */
export interface Passage {
  /** Visible label of the speaker. */
  speaker: string;
  /** Visible texts of the segments, joined by one space. */
  text: string;
  /** Position of each segment in the text; absent for a segment without visible text. */
  places: ({ start: number; end: number } | undefined)[];
}

/**
 * Returns the passage of a range of segments; undefined if the range is outside of the transcript or has several
 * speakers.
 */
export function readPassage(
  memory: Memory,
  [first, last]: readonly [number, number],
  visible: (text: string) => string = visibleText,
): Passage | undefined {
  const segments = segmentsOf(memory);
  const label = textOf(segments[first]?.speaker);
  if (!(first >= 0 && first <= last && last < segments.length)) return undefined;
  const texts: string[] = [];
  const places: Passage['places'] = [];
  let end = 0;
  for (let index = first; index <= last; index += 1) {
    if (textOf(segments[index]?.speaker) !== label) return undefined;
    const text = visible(textOf(segments[index]?.text));
    if (text === '') {
      places.push(undefined);
      continue;
    }
    const start = texts.length === 0 ? 0 : end + 1;
    end = start + text.length;
    texts.push(text);
    places.push({ start, end });
  }
  return { speaker: visible(label), text: texts.join(' '), places };
}
