import { textProblem } from '../../records/value-problems.ts';

/** Returns a text for a comparison. A text that PostgreSQL cannot hold becomes null, which equals nothing. */
export function toSqlText(text: string): string | null {
  return textProblem(text) === undefined ? text : null;
}
