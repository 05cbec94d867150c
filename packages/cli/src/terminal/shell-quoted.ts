import { visibleLine } from './visible-text.ts';

/** Quotes a text for a shell. */
export function shellQuoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
