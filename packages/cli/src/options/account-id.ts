import { usageError } from '../terminal/command-error.ts';

/** Parses `--account`. An API key is rejected, because the id would be stored and listed. */
export function parseAccountId(text: string): string {
  if (!/mrk_/i.test(text)) return text;
  throw usageError('--account: this is an API key. Pass the user_id of an account.');
}
