import { visibleText } from './visible-lines.ts';

/** A text behind its speaker's label. Without a label, a text with a colon could pass for that of whom it names. */
export function labelledText(speaker: string, text: string): string {
  const label = visibleText(speaker) || (text.includes(':') ? '?' : '');
  return label === '' ? text : `${label}: ${text}`.trimEnd();
}
