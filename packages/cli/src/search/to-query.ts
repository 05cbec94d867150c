/** Returns the query of the arguments. The shell removes the quotes of a phrase or a label, so they are added again. */
export function toQuery(words: readonly string[]): string {
  return words
    .map((word) => (/\s/.test(word) && !word.includes('"') ? word.replace(/^(-?speaker:)?(.*)$/is, '$1"$2"') : word))
    .join(' ');
}
