/** Words of people for words of these pages. */
const synonyms = new Map([
  ['postgres', 'postgresql'],
  ['throw', 'error'],
  ['throws', 'error'],
  ['ts', 'typescript'],
]);

/** Words of a question that say nothing about its subject. */
const emptyWords = new Set(
  'a an and any are as at be by can could do does for from has have how i if in into is it its me my of on or should so that the their them then there these this to was what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Returns the words of a text, unchanged. A name such as `getMemory` is one word. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Returns the parts of the names in a text, such as "get" and "Memory" of `getMemory`. */
export function partsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const parts = word.split(/(?<=[a-z])(?=[A-Z])|[-_]/);
    return parts.length > 1 ? parts : [];
  });
}

/** Returns what the index has of a word: "polls", "polling" and "polled" are one. */
export function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  return emptyWords.has(lower) ? null : stem(synonyms.get(lower) ?? lower);
}

function stem(word: string): string {
  return word.length < 5
    ? word.replace(/(?<=..)s$/, '')
    : word.replace(/(?:ies|y)$/, 'i').replace(/(?<=...)(?:ings?|ed|es|s|e)$/, '');
}
