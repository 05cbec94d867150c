/** Returns the query of the arguments. The shell has removed the quotes of a phrase, so they are added again. */
export function toQuery(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
}
