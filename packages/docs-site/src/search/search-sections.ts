import MiniSearch, { type SearchResult } from 'minisearch';
import type { Section } from './sections-of.ts';
import { partsOf, termOf, wordsOf } from './words.ts';

/** A section that was found. */
export interface Found extends Pick<Section, 'title' | 'page' | 'url' | 'text'> {
  /** Words of the index that the question found. */
  terms: readonly string[];
}

export type Search = (question: string) => Found[];

/** Factor for the API whose name is the whole question. */
const nameBoost = 5;

/** Factor for the parts of a name: a page about `getMemory` comes before the pages about each memory. */
const partBoost = 0.1;

/** Most sections of one page among the results. */
const mostPerPage = 2;

/** Returns a search over `sections` that takes names of the API as well as questions. */
export function createSearch(sections: readonly Section[]): Search {
  const index = new MiniSearch<Section>({
    idField: 'url',
    fields: ['title', 'page', 'text', 'parts'],
    storeFields: ['title', 'page', 'url', 'text', 'boost'],
    extractField: (section, field) =>
      field === 'parts' ? partsOf(section.title).join(' ') : String(section[field as keyof Section]),
    tokenize: wordsOf,
    processTerm: termOf,
  });
  index.addAll(sections);
  return (question) => {
    const name = termOf(question.trim());
    const asked = new Set(wordsOf(question).flatMap((word) => termOf(word) ?? []));
    const parts = new Set(
      partsOf(question)
        .flatMap((part) => termOf(part) ?? [])
        .filter((term) => !asked.has(term)),
    );
    const results = index.search(question, {
      boost: { title: 4, page: 3, parts: partBoost },
      tokenize: (text) => [...wordsOf(text), ...partsOf(text)],
      boostTerm: (term) => (parts.has(term) ? partBoost : 1),
      prefix: (word, position, words) => position === words.length - 1 && word.length > 2,
      fuzzy: (word) => (word.length > 5 ? 0.15 : false),
      boostDocument: (_id, _word, stored) =>
        isNamed(stored as unknown as Section, name) ? nameBoost : Number(stored?.boost),
    });
    return firstOfEachPage(preferComplete(results, asked), parts);
  };
}

/** Whether a word is the name of this function, type or member. */
function isNamed({ title }: Section, word: string | null): boolean {
  const name = title.split('.').at(-1) ?? '';
  return /^[a-z]+[A-Z]|^[A-Z]\w+[A-Z]|^[A-Z][a-z]+$/.test(name) && termOf(name) === word;
}

/** A section with all words of the question comes before one that has a single word often. */
function preferComplete(results: readonly SearchResult[], asked: ReadonlySet<string>): SearchResult[] {
  const share = ({ queryTerms }: SearchResult) => queryTerms.filter((term) => asked.has(term)).length / asked.size;
  return results
    .map((result) => ({ ...result, score: result.score * share(result) }))
    .sort((first, second) => second.score - first.score);
}

function firstOfEachPage(results: readonly SearchResult[], parts: ReadonlySet<string>): Found[] {
  const counts = new Map<string, number>();
  return results.flatMap(({ title, page, url, text, terms }) => {
    const path = String(url).split('#')[0] ?? '';
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count > mostPerPage ? [] : [{ title, page, url, text, terms: terms.filter((term) => !parts.has(term)) }];
  });
}
