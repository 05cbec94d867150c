import { speakerKey, type Token, tokenize } from './tokens.ts';

/** Words that have to follow each other. */
export interface Term {
  tokens: string[];
  /** Whether the last token is the beginning of a word. */
  isPrefix: boolean;
  /** Number of positions that the term covers. A pair of characters covers two. */
  length: number;
}

/** A parsed query. */
export interface Query {
  terms: Term[];
  without: Term[];
  /** Keys of speakers. */
  speakers: string[];
  withoutSpeakers: string[];
}

const LONGEST_QUERY = 1_000;
const MOST_TERMS = 32;
const SHORTEST_PREFIX = 3;

const part = /(-?)(?:(speaker):(?=["\S]))?(?:"([^"]*)"?|([^\s"]+))/giu;

/** Parses any text as a query. Everything that is not an operator is text. */
export function parseQuery(text: string): Query {
  const query: Query = { terms: [], without: [], speakers: [], withoutSpeakers: [] };
  let terms = 0;
  for (const [, minus, speaker, phrase, word] of text.slice(0, LONGEST_QUERY).matchAll(part)) {
    if (terms === MOST_TERMS) break;
    if (speaker !== undefined) {
      query[minus === '-' ? 'withoutSpeakers' : 'speakers'].push(speakerKey(phrase ?? word ?? ''));
      terms += 1;
      continue;
    }
    const term = toTerm(phrase ?? word ?? '', word?.endsWith('*') === true);
    if (term === undefined) continue;
    query[minus === '-' ? 'without' : 'terms'].push(term);
    terms += 1;
  }
  return query;
}

/** Drops the last token if it is one character of a longer run: in a text, another character can follow it. */
function toTerm(text: string, endsWithStar: boolean): Term | undefined {
  const found = tokenize(text);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  if (!last.isCharacter) {
    const isPrefix = endsWithStar && [...last.text].length >= SHORTEST_PREFIX;
    return { tokens: textsOf(found), isPrefix, length: found.length };
  }
  const isAlone = found.at(-2)?.run !== last.run;
  return { tokens: textsOf(isAlone ? found : found.slice(0, -1)), isPrefix: isAlone, length: found.length };
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}
