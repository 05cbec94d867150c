/**
 * Returns the text with escapes, as in JSON, for characters that are unsafe on a terminal.
 *
 * These move the cursor, change colours, reorder text or are lone surrogates. Line breaks stay.
 */
export function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, toEscape);
}

/** Returns the text on one line, with escapes for unsafe characters. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
