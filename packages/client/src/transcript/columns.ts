/** Blocks of wide letters and signs of East Asia, and emoji. JavaScript has no property for the width of a character. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{EPres}]|\ufe0f/u;

let segmenter: Intl.Segmenter | undefined;

/** Returns the characters as people see them: an emoji of several code points is one. */
export function charactersOf(text: string): string[] {
  // Not every runtime that loads the module has it.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the width of a text: two columns for a wide character, one for any other. */
export function columnsOf(text: string): number {
  // Most words consist only of these characters, which need no segmenter.
  if (/^[ -~\xa0-\u02ff\u0400-\u0482\u2010-\u2026]*$/.test(text)) return text.length;
  if (/^[\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff]*$/.test(text)) return text.length * 2;
  return charactersOf(text).reduce((columns, character) => columns + (wide.test(character) ? 2 : 1), 0);
}
