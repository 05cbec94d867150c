import { usageError } from '../terminal/command-error.ts';
import { notEmpty } from './not-empty.ts';

/** Reads `--account`; a key in its place would be stored, and shown in lists from then on. */
export function parseAccountId(text: string): string {
  if (!/mrk_/i.test(text)) return notEmpty('--account')(text);
  throw usageError('--account: because it is an API key. Pass the user_id of an account.');
}
