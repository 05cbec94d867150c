import { isWellFormed } from '../../records/storable-text.ts';

/**
 * The text for a comparison. One that is not well-formed would be bound as another text, which may exist; null equals
 * nothing.
 */
export function toSqlText(text: string): string | null {
  return isWellFormed(text) ? text : null;
}
