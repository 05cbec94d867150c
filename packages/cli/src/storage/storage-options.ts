import { type Command, Option } from 'commander';
import type { CliProcess, CommandContext } from '../terminal/cli-process.ts';
import { type PostgresSource, readPostgresSource } from './postgres-source.ts';

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
  /** Receives the message of an idle connection to PostgreSQL that was lost. Default: it is written to standard error. */
  onConnectionLost?: ((message: string) => void) | undefined;
}

export const defaultDatabase = './memory-read-data/memories.sqlite';

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
