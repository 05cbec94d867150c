import { visibleText } from './visible-lines.ts';

/**
 * Returns a text after its speaker's label. Without a label, a text with a colon could look like that of another
 * speaker.
 */
export function labelledText(speaker: string, text: string): string {
  const label = visibleText(speaker) || (text.includes(':') ? '?' : '');
  return label === '' ? text : `${label}: ${text}`.trimEnd();
}
