import type { Command } from 'commander';
import { notEmpty } from '../arguments/not-empty.ts';

/** Where memories, accounts and keys are kept. */
export interface StorageOptions {
  /** Path of the SQLite file. */
  db: string;
}

export const defaultDatabase = './memory-read.sqlite';

/** The options that every command which opens the storage shares. */
export function addStorageOptions(command: Command): Command {
  return command.option(
    '--db <file>',
    'SQLite file with memories, accounts and keys',
    notEmpty('--db'),
    defaultDatabase,
  );
}
