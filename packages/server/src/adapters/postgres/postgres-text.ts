import { textProblem } from '../../records/storable-text.ts';

/** The text for a comparison. One that PostgreSQL cannot hold is nobody's; null equals nothing. */
export function toSqlText(text: string): string | null {
  return textProblem(text) === undefined ? text : null;
}
