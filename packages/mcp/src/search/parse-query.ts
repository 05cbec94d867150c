import { visibleText } from '../receipt/visible-text.ts';
import { foldTerm } from './fold-text.ts';

const MOST_WORDS = 12;

/**
 * Returns the terms of a query, each a word or a phrase in quotation marks; undefined without a term, or with too many.
 */
export function parseQuery(query: string): string[] | undefined {
  const text = visibleText(query).replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"');
  const parts = [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, phrase, word]) => phrase ?? word ?? '');
  const foldAll = (texts: readonly string[]) => texts.flatMap((part) => foldTerm(part) ?? []);
  const terms = foldAll(parts);
  // “don’t” is one word, although its fold is two.
  const words = foldAll(parts.flatMap((part) => part.split(' ')));
  return terms.length === 0 || words.length > MOST_WORDS ? undefined : [...new Set(terms)];
}
