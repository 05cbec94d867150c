/**
 * Returns the text with U+FFFD in place of each character that controls a terminal or the direction of text.
 *
 * These are C0, DEL and C1 controls, and the characters with the property `Bidi_Control` of Unicode. Tabs and line breaks
 * (LF, CRLF) stay.
 */
export function replaceControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|\p{Bidi_C}|\r(?!\n)/gu, '\ufffd');
}
