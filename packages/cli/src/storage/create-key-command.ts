import { shellQuoted } from '../terminal/shell-quoted.ts';
import type { StorageOptions } from './storage-options.ts';

type StoragePlace = Pick<StorageOptions, 'db' | 'postgres'>;

export function createKeyCommand(storage: StoragePlace, command: string): string {
  return `${command} keys create --account USER_ID ${storageArguments(storage)}`;
}

/** Returns the options of this storage, to paste. A database URL is not repeated. */
export function storageArguments({ db, postgres }: StoragePlace): string {
  return postgres === undefined ? `--db ${shellQuoted(db)}` : `--postgres ${shellQuoted(postgres.option)}`;
}
