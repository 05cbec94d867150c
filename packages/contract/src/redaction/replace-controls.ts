/**
 * Returns the text with U+FFFD in place of each character that controls a terminal or reorders the text around it.
 *
 * These are C0, DEL and C1 controls, and the embeddings, overrides and isolates of Unicode (U+202A to U+202E, U+2066 to
 * U+2069). Tabs and line breaks (LF, CRLF) stay. So do the marks U+200E, U+200F and U+061C: Hebrew and Arabic need
 * them, and they act only on their neighbours.
 */
export function replaceControls(text: string): string {
  return text.replace(/(?!\t|\r?\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Returns the text with escapes, as in JSON, for the same characters, and for others that a terminal or YAML misreads.
 *
 * These are tabs, carriage returns, line separators, lone surrogates, U+FEFF and noncharacters. Line feeds stay.
 */
export function escapeControls(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, (character) => {
    const isShown = !/[\t\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(character);
    if (isShown && replaceControls(character) === character) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
