import { visibleLine } from './visible-text.ts';

export function shellQuoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
