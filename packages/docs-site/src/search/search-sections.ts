import MiniSearch, { type SearchResult } from 'minisearch';
import type { Section } from './sections-of.ts';

/** A section that was found, without its text. */
export type Found = Pick<Section, 'title' | 'page' | 'url'>;

export type Search = (question: string) => Found[];

/** Words of a question that say nothing about its subject. */
const emptyWords = new Set(
  'a an and any are as at be by can could do does for from has have how i if in into is it its me my of on or should so that the their them then there these this to was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Words of people for words of these pages. */
const synonyms = new Map([
  ['postgres', 'postgresql'],
  ['ts', 'typescript'],
]);

/** Factor for the API whose name is the whole question. */
const nameBoost = 5;

/** Most sections of one page among the results. */
const mostPerPage = 2;

/** Returns a search over `sections` that takes names of the API as well as questions. */
export function createSearch(sections: readonly Section[]): Search {
  const index = new MiniSearch<Section>({
    idField: 'url',
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'url', 'boost'],
    tokenize: wordsOf,
    processTerm: (word) => (emptyWords.has(word) ? null : stem(word)),
  });
  index.addAll(sections);
  return (question) => {
    const name = stem(question.trim().toLowerCase());
    const results = index.search(question, {
      boost: { title: 4, page: 3 },
      prefix: (word, position, words) => position === words.length - 1 && word.length > 2,
      fuzzy: (word) => (word.length > 5 ? 0.15 : false),
      boostDocument: (_id, _word, stored) => (isNamed(stored as Found, name) ? nameBoost : Number(stored?.boost)),
    });
    return firstOfEachPage(results);
  };
}

/** Whether a word is the name of this function, type or member. */
function isNamed({ title }: Found, word: string): boolean {
  const name = title.split('.').at(-1) ?? '';
  return /^[a-z]+[A-Z]|^[A-Z]\w+[A-Z]|^[A-Z][a-z]+$/.test(name) && stem(name.toLowerCase()) === word;
}

function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_-]+/u);
  return words
    .flatMap((word) => [word.toLowerCase(), ...camelParts(word)])
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function camelParts(word: string): string[] {
  const parts = word.split(/(?<=[a-z])(?=[A-Z])|[-_]/).map((part) => part.toLowerCase());
  return parts.length > 1 ? parts : [];
}

/** "polls", "polling" and "polled" are one word. */
function stem(word: string): string {
  const known = synonyms.get(word) ?? word;
  return known.length < 5
    ? known.replace(/(?<=..)s$/, '')
    : known.replace(/(?:ies|y)$/, 'i').replace(/(?<=...)(?:ings?|ed|es|s|e)$/, '');
}

function firstOfEachPage(results: readonly SearchResult[]): Found[] {
  const counts = new Map<string, number>();
  return results.flatMap(({ title, page, url }) => {
    const path = String(url).split('#')[0] ?? '';
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count > mostPerPage ? [] : [{ title, page, url }];
  });
}
