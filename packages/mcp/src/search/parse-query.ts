import { visibleText } from '../receipt/visible-text.ts';
import { foldTerm } from './fold-text.ts';

const MOST_WORDS = 12;

/**
 * Returns the terms of a query, each a word or a phrase in quotation marks; undefined without a term, or with too many.
 */
export function parseQuery(query: string): string[] | undefined {
  const text = visibleText(query).replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"');
  const terms = [...text.matchAll(/"([^"]*)"|([^\s"]+)/g)].flatMap(
    ([, phrase, word]) => foldTerm(phrase ?? word ?? '') ?? [],
  );
  const words = terms.flatMap((term) => term.trim().split(' '));
  return terms.length === 0 || words.length > MOST_WORDS ? undefined : [...new Set(terms)];
}
