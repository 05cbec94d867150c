import { type Command, Option } from 'commander';
import type { CliProcess, CommandContext } from '../terminal/cli-process.ts';
import { type PostgresSource, readPostgresSource } from './postgres-source.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import type { StorageNote } from './storage.ts';

/** Location of memories, accounts and keys. */
export interface StorageOptions extends CommandContext {
  /** Path of the SQLite file. */
  db: string;
  /** A PostgreSQL database, instead of SQLite. */
  postgres?: PostgresSource | undefined;
  /** Maximum number of connections to PostgreSQL. */
  postgresPoolSize?: number | undefined;
  /** Maximum time for one read from PostgreSQL, in milliseconds. */
  postgresReadTimeout?: number | undefined;
  /** Replicas of the database, which memories and keys are read from. */
  postgresReads?: PostgresDatabase[] | undefined;
  /** Maximum time for which a replica may be behind, in milliseconds. */
  postgresMaxLag?: number | undefined;
  /** The same while the primary cannot be reached. */
  postgresMaxOutage?: number | undefined;
  /** Number of connections to the primary that reads may use in place of a replica. */
  postgresFallback?: number | undefined;
  /** Receives what happens to the connections to PostgreSQL. Default: it is written to standard error. */
  onNote?: StorageNote | undefined;
}

export const defaultDatabase = './memory-read-data/memories.sqlite';
export const defaultPoolSize = 10;

export function addStorageOptions(command: Command, { env }: CliProcess): Command {
  return command
    .option('--db <file>', 'SQLite file with memories, accounts and keys', defaultDatabase)
    .addOption(postgresOption('PostgreSQL database with them instead', env).conflicts('db'));
}

export function postgresOption(description: string, env: NodeJS.ProcessEnv): Option {
  return new Option(
    '--postgres <source>',
    `${description}: file:PATH or env:NAME of its URL, or the URL without a password`,
  ).argParser((source: string) => readPostgresSource(source, env));
}
