import { fold, isAnyPart } from './fold.ts';
import { type HitKind, hitKinds } from './search-types.ts';

/** A word, a phrase or the beginning of a word. */
export interface Term {
  /** The term as asked, without quotes. */
  text: string;
  /** A folded text has the term if it contains this text. A space is the border of a word. */
  folded: string;
}

/** A speaker of a query. */
export interface QuerySpeaker {
  /** The label as asked. */
  label: string;
  /** The label in the form of {@link speakerKey}. */
  key: string;
  /** Words that are enough next to each other in a name; null if a person has the label as the whole name. */
  words: string | null;
}

/** A parsed query. */
export interface Query {
  /** All of them have to be in the searched texts of a memory. */
  terms: Term[];
  /** A text with one of them is not searched. */
  without: Term[];
  /** Only texts of these speakers are searched. */
  speakers: QuerySpeaker[];
  /** Texts of these speakers are not searched. */
  withoutSpeakers: QuerySpeaker[];
  /** Only texts of these kinds are searched. */
  kinds: readonly HitKind[];
}

/** Conditions that are not part of the text of a query. */
export interface QueryOptions {
  /** Speaker, as {@link isSpeaker} compares it. Default: all speakers. */
  speaker?: string | undefined;
  /** Names of all people of the collection, which decide whether a speaker is a whole name. Default: none. */
  people?: Iterable<string> | undefined;
  /** Kinds of texts to search. Default: all kinds. */
  kind?: HitKind | readonly HitKind[] | undefined;
}

const LONGEST_QUERY = 1_000;
const MOST_TERMS = 32;
const SHORTEST_STEM = 4;
const SHORTEST_BEGINNING = 3;

const quotes = /[\u201c-\u201f\u00ab\u00bb\uff02]/g;
const part = /((?<!\S)-(?=[\p{L}"]))?(?:(speaker):(?=["\S]))?(?:"([^"]*)"?|([^\s"]+))/giu;

/**
 * Parses any text as a query. Everything that is not an operator is text, so it never throws.
 *
 * Operators are `"a phrase"`, `beginning*`, `speaker:NAME`, `speaker:"A NAME"`, and `-` before one of them or before a
 * word. At most 1,000 characters and 32 terms are read. A query without a word and a speaker finds nothing. NAME is as
 * {@link isSpeaker} compares it.
 *
 * @example
 * ```ts
 * const query = parseQuery('"cancel the trip" lisbon -draft', { speaker: 'Speaker 2' });
 * console.log(query.terms.map(({ text }) => text)); // ['cancel the trip', 'lisbon']
 * ```
 */
export function parseQuery(query: string, { speaker, people = [], kind = hitKinds }: QueryOptions = {}): Query {
  const parsed: Query = {
    terms: [],
    without: [],
    speakers: speaker === undefined ? [] : [toSpeaker(speaker)],
    withoutSpeakers: [],
    kinds: typeof kind === 'string' ? [kind] : kind,
  };
  let count = 0;
  for (const [, minus, label, phrase, word] of query.slice(0, LONGEST_QUERY).replace(quotes, '"').matchAll(part)) {
    const text = phrase ?? word ?? '';
    if (label !== undefined) {
      parsed[minus === undefined ? 'speakers' : 'withoutSpeakers'].push(toSpeaker(text));
    } else {
      const folded = foldTerm(text, phrase !== undefined);
      if (folded === undefined) continue;
      const terms = parsed[minus === undefined ? 'terms' : 'without'];
      if (!terms.some((other) => other.folded === folded)) terms.push({ text, folded });
    }
    count += 1;
    if (count === MOST_TERMS) break;
  }
  const conditions = [...parsed.speakers, ...parsed.withoutSpeakers];
  if (conditions.length > 0) {
    const keys = new Set(Array.from(people, speakerKey));
    for (const one of conditions) if (keys.has(one.key)) one.words = null;
  }
  return parsed;
}

/**
 * Returns whether a text is of a speaker of a query: the label is the whole label or the whole name of its speaker. If no
 * person has it as the whole name, its words next to each other in the name are enough.
 *
 * @param text - Label and name of the speaker in the form of {@link speakerKey}; null without one.
 *
 * @example
 * ```ts
 * const text = { speakerKey: speakerKey('Speaker 1'), personKey: speakerKey('Ada Lovelace') };
 * const [speaker] = parseQuery('speaker:lovelace').speakers;
 * console.log(speaker && isSpeaker(text, speaker)); // true
 * ```
 */
export function isSpeaker(
  { speakerKey, personKey }: { speakerKey: string | null; personKey: string | null },
  { key, words }: QuerySpeaker,
): boolean {
  if (speakerKey === key || personKey === key) return true;
  return words !== null && personKey !== null && ` ${personKey} `.includes(words);
}

/**
 * Returns a key that is equal for all spellings of a label. A label without a letter or a digit is its own key.
 *
 * @example
 * ```ts
 * console.log(speakerKey('SPEAKER 2') === speakerKey('Speaker 2')); // true
 * ```
 */
export function speakerKey(label: string): string {
  return fold(label).trim() || label.normalize('NFKC').trim().toLowerCase();
}

/**
 * Returns whether a query can find nothing, because it has neither a word nor a speaker, or no kind.
 *
 * @example
 * ```ts
 * if (isEmptyQuery(parseQuery('-draft'))) console.log('The query only excludes words.');
 * ```
 */
export function isEmptyQuery({ terms, speakers, kinds }: Query): boolean {
  return (terms.length === 0 && speakers.length === 0) || kinds.length === 0;
}

function toSpeaker(label: string): QuerySpeaker {
  const key = speakerKey(label);
  return { label, key, words: foldTerm(key, true) ?? null };
}

/** Returns the text to find, with a space where a word has to begin or end; undefined if there is no word. */
function foldTerm(text: string, isPhrase: boolean): string | undefined {
  const words = fold(text).trim();
  if (words === '') return undefined;
  const last = words.slice(words.lastIndexOf(' ') + 1);
  return `${isAnyPart(words) ? '' : ' '}${words}${isOpen(last, text, isPhrase) ? '' : ' '}`;
}

/** Returns whether the last word of a term can be the beginning of a longer one. */
function isOpen(last: string, text: string, isPhrase: boolean): boolean {
  if (isAnyPart(last)) return true;
  const { length } = [...last];
  if (text.endsWith('*')) return length >= SHORTEST_BEGINNING;
  return !isPhrase && length >= SHORTEST_STEM && !/^\p{N}+$/u.test(last);
}
