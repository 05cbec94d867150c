import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../folders.ts';

/** Page whose tables hold the vocabulary. The column "Not" holds the words to avoid. */
export const glossary = 'docs/glossary.md';

/** Returns each expression of the column "Not" with the word to use instead. */
export function avoidedWords(page = readFileSync(join(root, glossary), 'utf8')): Map<string, string> {
  const words = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, word = '', , avoided = ''] = line.split('|').map((cell) => cell.trim());
    if (!line.startsWith('|') || avoided === 'Not') continue;
    for (const expression of avoided.split(',').map((text) => text.trim())) {
      if (/\p{L}/u.test(expression)) words.set(expression, word);
    }
  }
  return words;
}
