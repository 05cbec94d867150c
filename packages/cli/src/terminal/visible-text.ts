import { escapeControls } from '@memory-read/contract/redaction';

/**
 * Returns the text with escapes, as in JSON, for characters that are unsafe on a terminal.
 *
 * These move the cursor, change colours, reorder text or are lone surrogates. Line breaks stay.
 */
export const visibleText = escapeControls;

/** Returns the text on one line, with escapes for unsafe characters. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}
