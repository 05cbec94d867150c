import { cutText } from '../receipt/cut-text.ts';
import { visibleText } from '../receipt/visible-text.ts';
import { jsonLength } from './json-length.ts';

/** Returns the visible text, of at most so many characters as JSON. */
export function shownText(text: string, limit: number): string {
  const visible = visibleText(text, limit);
  const extra = jsonLength(visible) - 2 - limit;
  // Every escape takes at most as many characters again.
  return extra <= 0 ? visible : `${cutText(visible, Math.max(0, Math.floor(limit / 2) - 1))}…`;
}
