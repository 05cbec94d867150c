import { loneSurrogate } from '../../records/value-problems.ts';

/**
 * Returns a text for a comparison.
 *
 * A text that is not well-formed becomes null, which equals nothing. SQLite would bind it as another text, which may
 * exist.
 */
export function toSqlText(text: string): string | null {
  return loneSurrogate.test(text) ? null : text;
}
