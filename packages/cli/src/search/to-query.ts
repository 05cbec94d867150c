/** Returns the query of the arguments. The shell has taken the quotes of a phrase away, so they are added again. */
export function toQuery(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
}
