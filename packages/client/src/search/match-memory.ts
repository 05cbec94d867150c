import type { Cue } from '../transcript/normalize-transcript.ts';
import { passagesOf } from '../transcript/passages.ts';
import { namesByLabel } from '../transcript/speaker-names.ts';
import { fold } from './fold.ts';
import { hitOf } from './hit-of.ts';
import { isEmptyQuery, isSpeaker, type Query, speakerKey, type Term } from './parse-query.ts';
import { type SearchText, searchTexts, textsOf } from './search-texts.ts';
import type { MemoryHit, SearchSource } from './search-types.ts';

/** A text in the form that searches compare. */
export interface PreparedText extends SearchText {
  folded: string;
  /** Label in the form of a query; null outside the transcript. */
  speakerKey: string | null;
  /** Name in the form of a query; null if the speaker has none. */
  personKey: string | null;
}

/** A memory whose texts are folded, so that each search only compares them. */
export interface PreparedMemory {
  memoryId: string;
  name: string;
  /** Start of the memory, as the server wrote it. */
  startedAt: string;
  texts: readonly PreparedText[];
  /** Names of the speakers who have one. */
  people: readonly string[];
  /** Approximate size in memory, in bytes. */
  bytes: number;
}

/** Result of {@link matchMemory}. */
export interface MemoryMatch {
  /**
   * `together` if one text has all words, `apart` if the texts have them together, `some` if words are missing.
   */
  match: 'together' | 'apart' | 'some' | 'none';
  /** Words, as asked, that the searched texts do not have. */
  missing: string[];
  /** Hits in the order of the texts. For `some`, they have the words that are there. */
  hits: MemoryHit[];
}

/**
 * Returns a memory in the form that searches compare. Keep it if you search the memory again.
 *
 * @example
 * ```ts
 * const prepared = memories.map(prepareMemory);
 * console.log(searchMemories(prepared, 'budget').hits.length, searchMemories(prepared, 'premium').hits.length);
 * ```
 */
export function prepareMemory(memory: SearchSource): PreparedMemory {
  return prepareTexts(memory, searchTexts(memory));
}

/** A memory with the cues of its transcript in the stored order, instead of the transcript. */
export type CueSource = Omit<SearchSource, 'transcript'> & { cues: readonly Pick<Cue, 'start' | 'speaker' | 'text'>[] };

/**
 * Returns the same as {@link prepareMemory}, for a program that keeps the cues of `normalizeTranscript` without the rest
 * of the transcript. The cues are in the stored order.
 */
export function prepareCues(memory: CueSource): PreparedMemory {
  return prepareTexts(memory, textsOf(memory, passagesOf(memory.cues)));
}

function prepareTexts(
  memory: Pick<SearchSource, 'id' | 'name' | 'started_at' | 'names'>,
  found: SearchText[],
): PreparedMemory {
  let units = 0;
  const texts = found.map((text): PreparedText => {
    const folded = fold(text.text);
    units += text.text.length + folded.length + 16 * (text.segments?.starts.length ?? 0) + 64;
    const keyOf = (label: string | null) => (label === null ? null : speakerKey(label));
    return { ...text, folded, speakerKey: keyOf(text.speaker), personKey: keyOf(text.person) };
  });
  // A string has at most two bytes for each unit.
  return {
    memoryId: memory.id,
    name: memory.name,
    startedAt: memory.started_at,
    texts,
    people: peopleOf(memory),
    bytes: 2 * units,
  };
}

/** Returns the names of the speakers of a memory. */
export function peopleOf({ names }: Pick<SearchSource, 'names'>): string[] {
  return [...namesByLabel(names).values()];
}

/**
 * Compares a memory with a query.
 *
 * The words have to be in the texts that kinds, speakers and exclusions of the query select. See {@link searchMemories}.
 *
 * @example
 * ```ts
 * const { match, missing } = matchMemory(prepareMemory(memory), parseQuery('premium zebra'));
 * console.log(match, missing); // some ['zebra']
 * ```
 */
export function matchMemory({ texts, memoryId, name, startedAt }: PreparedMemory, query: Query): MemoryMatch {
  const { terms } = query;
  const selected = isEmptyQuery(query) ? [] : [...texts.keys()].filter((index) => isSelected(texts[index], query));
  const found = selected.map((index) => termsIn(texts[index]?.folded ?? '', terms));
  const present = new Set(found.flat());
  const missing = terms.filter((_, term) => !present.has(term)).map(({ text }) => text);
  const together = [...found.keys()].filter((index) => found[index]?.length === terms.length);
  const match =
    together.length > 0 ? 'together' : present.size === 0 ? 'none' : missing.length === 0 ? 'apart' : 'some';
  const readHits = () =>
    (match === 'together' ? together : coverOf(found)).flatMap((chosen) => {
      const text = texts[selected[chosen] ?? 0] as PreparedText;
      const isContinued = match === 'together' && selected[chosen - 1] === (selected[chosen] ?? 0) - 1;
      const hit = hitOf(text, terms, isContinued);
      return hit === undefined ? [] : [{ memoryId, name, startedAt, ...hit }];
    });
  let hits: MemoryHit[] | undefined;
  return {
    match,
    missing,
    // Most callers need the hits of few memories, and hits take longer than the comparison.
    get hits() {
      hits ??= readHits();
      return hits;
    },
  };
}

/**
 * Returns the indexes of few sets that have all members of all sets: again and again the first set with most of the
 * members that are still to be found.
 *
 * @example
 * ```ts
 * console.log(coverOf([[0], [0, 1], [2]])); // [1, 2]
 * ```
 */
export function coverOf(sets: readonly (readonly number[])[]): number[] {
  const left = new Set(sets.flat());
  const chosen: number[] = [];
  while (left.size > 0) {
    const counts = sets.map((members) => members.filter((member) => left.has(member)).length);
    const best = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
    chosen.push(best);
    for (const member of sets[best] ?? []) left.delete(member);
  }
  return chosen.sort((one, other) => one - other);
}

/** Returns the indexes of the terms that a folded text has. */
export function termsIn(folded: string, terms: readonly Term[]): number[] {
  return [...terms.keys()].filter((term) => folded.includes(terms[term]?.folded ?? ''));
}

function isSelected(text: PreparedText | undefined, { kinds, speakers, without, withoutSpeakers }: Query): boolean {
  return (
    text !== undefined &&
    text.folded !== ' ' &&
    kinds.includes(text.kind) &&
    speakers.every((speaker) => isSpeaker(text, speaker)) &&
    !withoutSpeakers.some((speaker) => isSpeaker(text, speaker)) &&
    termsIn(text.folded, without).length === 0
  );
}
