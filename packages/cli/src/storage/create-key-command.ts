import { shellQuoted } from '../terminal/shell-quoted.ts';
import type { StorageOptions } from './storage-options.ts';

/** Returns the command to paste that creates a key in this storage. A database URL is not repeated: it may hold a password. */
export function createKeyCommand({ db, postgres }: StorageOptions, command: string): string {
  const storage = postgres === undefined ? `--db ${shellQuoted(db)}` : `--postgres ${shellQuoted(postgres.option)}`;
  return `${command} keys create --account USER_ID ${storage}`;
}
