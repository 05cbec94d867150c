import { cutText, visibleText } from '@memory-read/contract/visible-text';
import { jsonLength } from './json-length.ts';

/** Returns the visible text, cut to a maximum number of characters as JSON. */
export function shownText(text: string, limit: number): string {
  const visible = visibleText(text, limit);
  const extra = jsonLength(visible) - 2 - limit;
  // Escapes at most double the number of characters.
  return extra <= 0 ? visible : `${cutText(visible, Math.max(0, Math.floor(limit / 2) - 1))}…`;
}

/** Returns the visible label of a speaker. */
export function shownLabel(label: string): string {
  return shownText(label, 60);
}

/** Returns the visible name of a person. */
export function shownName(name: string): string {
  return shownText(name, 100);
}
