import { type Command, Option } from 'commander';
import { notEmpty } from '../options/not-empty.ts';
import { parsePostgresUrl } from './postgres-url.ts';

/** Where memories, accounts and keys are kept. */
export interface StorageOptions {
  /** Path of the SQLite file. */
  db: string;
  /** URL of the PostgreSQL database that is used instead. */
  postgres?: string | undefined;
}

export const defaultDatabase = './memory-read.sqlite';

/** The options that every command which opens the storage shares. */
export function addStorageOptions(command: Command): Command {
  return command
    .option('--db <file>', 'SQLite file with memories, accounts and keys', notEmpty('--db'), defaultDatabase)
    .addOption(
      new Option('--postgres <url>', 'PostgreSQL database with them instead; its password may be in PGPASSWORD')
        .argParser(parsePostgresUrl)
        .conflicts('db'),
    );
}
