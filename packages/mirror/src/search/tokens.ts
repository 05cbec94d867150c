import { isAnyPart, type Term } from '@memory-read/client/search';

/**
 * Returns the tokens of a folded text: its words, and the pairs of neighbours of a run. The last character of a run is a
 * token by itself.
 */
export function tokensOf(folded: string): string[] {
  return wordsOf(folded).flatMap(partsOf);
}

/** Returns the expression of the index that finds a term. It contains text of the user only as tokens in quotes. */
export function phraseOf(term: Term): string {
  const { tokens, isBeginning } = termTokens(term);
  return `"${tokens.join(' ')}"${isBeginning ? ' *' : ''}`;
}

/** Returns an expression that finds all tokens of a term, in any order. */
export function tokensOfTerm(term: Term): string[] {
  const { tokens, isBeginning } = termTokens(term);
  return tokens.map((token, index) => `"${token}"${isBeginning && index === tokens.length - 1 ? ' *' : ''}`);
}

function termTokens({ folded }: Term): { tokens: string[]; isBeginning: boolean } {
  const words = wordsOf(folded);
  const last = words.at(-1) ?? '';
  const tokens = words.flatMap(partsOf);
  if (folded.endsWith(' ')) return { tokens, isBeginning: false };
  if (!isAnyPart(last) || partsOf(last).length === 1) return { tokens, isBeginning: true };
  // In a text, another character can follow the last one.
  return { tokens: tokens.slice(0, -1), isBeginning: false };
}

function wordsOf(folded: string): string[] {
  return folded.split(' ').filter(Boolean);
}

function partsOf(word: string): string[] {
  if (!isAnyPart(word)) return [word];
  const characters = [...word];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}
