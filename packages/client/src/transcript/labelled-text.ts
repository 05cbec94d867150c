import { visibleText } from './visible-lines.ts';

/**
 * Returns what is written before a text: the label of its speaker, a colon and a space.
 *
 * Without a label, a text with a colon could look like that of another speaker.
 */
export function labelOf(speaker: string, text: string): string {
  const label = visibleText(speaker) || (text.includes(':') ? '?' : '');
  return label === '' ? '' : `${label}: `;
}

/** Returns a text after its speaker's label. No space stands at the end of the first line. */
export function labelledText(speaker: string, text: string): string {
  const label = labelOf(speaker, text);
  return (/^\S/.test(text) ? label : label.trimEnd()) + text;
}
