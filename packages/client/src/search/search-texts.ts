import { type Passage, passages } from '../transcript/passages.ts';
import { namesByLabel } from '../transcript/speaker-names.ts';
import { fold } from './fold.ts';
import type { HitKind, SearchSource } from './search-types.ts';

/** A text of a memory that a search reads as a whole. */
export interface SearchText {
  kind: HitKind;
  /** Label of the speaker, as stored; null outside the transcript. */
  speaker: string | null;
  /** Name of the speaker; null if the speaker has none. */
  person: string | null;
  text: string;
  /** Segments of the text; null outside the transcript. */
  segments: TextSegments | null;
}

/** Segments of a text of the transcript. */
export interface TextSegments {
  /** Index of the first segment in `transcript.segments`. */
  first: number;
  /** Start of each segment in the text, in UTF-16 units. */
  starts: number[];
  /** Start of each segment in milliseconds from the start of the recording. */
  offsets: number[];
  /** Number of segments that the text before has, too. */
  repeated: number;
}

const LONGEST_WINDOW = 64;
const LEAST_REPEATED = 64;
const MOST_REPEATED = 32;
/** An index has 16 bits for the number of a text. */
const MOST_TEXTS = 65_536;

/**
 * Returns the texts of a memory in the order of hits: name, summary, takeaways and passages.
 *
 * A passage of more than 64 segments is several texts. Each repeats the end of the text before, so that a phrase over
 * the border is found. Only the first 65,536 texts are returned.
 *
 * @example
 * ```ts
 * for (const text of searchTexts(memory)) console.log(text.kind, fold(text.text));
 * ```
 */
export function searchTexts(memory: SearchSource): SearchText[] {
  return textsOf(memory, passages(memory));
}

/** Returns the texts of a memory with these passages. */
export function textsOf(
  { name, summary, names }: Pick<SearchSource, 'name' | 'summary' | 'names'>,
  found: Passage[],
): SearchText[] {
  const byLabel = namesByLabel(names);
  const outside = (kind: HitKind, text: string): SearchText => ({
    kind,
    speaker: null,
    person: null,
    text,
    segments: null,
  });
  const texts = [
    outside('name', name),
    ...(summary === null
      ? []
      : [outside('summary', summary.quick_summary), ...summary.key_takeaways.map((text) => outside('takeaway', text))]),
    ...found.flatMap((passage) => windowsOf(passage, byLabel.get(passage.speaker) ?? null)),
  ];
  return texts.slice(0, MOST_TEXTS);
}

function windowsOf({ speaker, text, segments, starts, offsets }: Passage, person: string | null): SearchText[] {
  const windows: SearchText[] = [];
  const textOf = (first: number, end: number) => text.slice(starts[first], starts[end]);
  for (let first = 0, repeated = 0; ; ) {
    const end = Math.min(first + LONGEST_WINDOW, starts.length);
    const from = starts[first] ?? 0;
    windows.push({
      kind: 'transcript',
      speaker,
      person,
      text: textOf(first, end).trimEnd(),
      segments: {
        first: segments.first + first,
        starts: starts.slice(first, end).map((start) => start - from),
        offsets: offsets.slice(first, end),
        repeated,
      },
    });
    if (end === starts.length) return windows;
    repeated = 0;
    for (let length = 0; repeated < MOST_REPEATED && length < LEAST_REPEATED; repeated += 1) {
      length += fold(textOf(end - repeated - 1, end - repeated)).length - 1;
    }
    first = end - repeated;
  }
}
