import { type Command, Option } from 'commander';
import { notEmpty } from '../options/not-empty.ts';
import { parsePostgresUrl } from './postgres-url.ts';

/** Location of memories, accounts and keys. */
export interface StorageOptions {
  /** Path of the SQLite file. */
  db: string;
  /** URL of a PostgreSQL database, instead of SQLite. */
  postgres?: string | undefined;
}

export const defaultDatabase = './memory-read.sqlite';

/** Adds the options of commands that open the storage. */
export function addStorageOptions(command: Command): Command {
  return command
    .option('--db <file>', 'SQLite file with memories, accounts and keys', notEmpty('--db'), defaultDatabase)
    .addOption(
      new Option('--postgres <url>', 'PostgreSQL database with them instead; its password may be in PGPASSWORD')
        .argParser(parsePostgresUrl)
        .conflicts('db'),
    );
}
