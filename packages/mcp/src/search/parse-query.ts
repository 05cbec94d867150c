import { visibleText } from '../receipt/visible-text.ts';
import { foldTerm } from './fold-text.ts';

const MOST_WORDS = 12;

/**
 * Returns the terms of a query, each a word or a phrase in quotation marks; undefined without a term, or with too many.
 */
export function parseQuery(query: string): string[] | undefined {
  const text = readText(query);
  const parts = [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, phrase, word]) => phrase ?? word ?? '');
  const foldAll = (texts: readonly string[]) => texts.flatMap((part) => foldTerm(part) ?? []);
  const terms = foldAll(parts);
  // “don’t” is one word, although its fold is two.
  const words = foldAll(parts.flatMap((part) => part.split(' ')));
  return terms.length === 0 || words.length > MOST_WORDS ? undefined : [...new Set(terms)];
}

/**
 * Returns whether a word or a phrase of a query begins with a hyphen, as in `-draft`, which other searches exclude.
 *
 * A number such as `-5`, an option such as `--all` and the words of a phrase are text.
 */
export function excludesWords(query: string): boolean {
  return /(?<!\S)-[\p{L}"]/u.test(readText(query).replace(/"[^"]*"/g, '""'));
}

function readText(query: string): string {
  return visibleText(query).replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"');
}
