import { textProblem } from '../../records/storable-text.ts';

/** Returns a text for a comparison. A text that PostgreSQL cannot hold becomes null, which equals nothing. */
export function toSqlText(text: string): string | null {
  return textProblem(text) === undefined ? text : null;
}
