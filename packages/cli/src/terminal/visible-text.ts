/**
 * The text as a terminal may show it: what would move the cursor, colour or reorder what is around it, or is no whole
 * character, is escaped as in JSON. Its lines stay lines.
 */
export function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, toEscape);
}

/** The same for what has to stay one line, whatever names and ids it holds. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
