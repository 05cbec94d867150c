import { type Command, Option } from 'commander';
import { parseCount } from '../options/parse-count.ts';
import { parseDuration } from '../options/parse-duration.ts';
import { readReplicaHosts } from '../storage/replica-hosts.ts';
import { defaultPoolSize, type StorageOptions } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';

/** Adds the options for the connections to PostgreSQL. */
export function addPostgresOptions(command: Command, { env }: CliProcess): Command {
  const add = (flags: string, description: string, parse: (text: string) => unknown) =>
    command.addOption(new Option(flags, description).argParser(parse).conflicts(['db', 'inMemory']));
  add(
    '--postgres-pool-size <number>',
    `largest number of connections to each server of PostgreSQL (default: ${defaultPoolSize})`,
    parseCount('--postgres-pool-size', 999_999),
  );
  add(
    '--postgres-read-timeout <duration>',
    'time limit for a read from PostgreSQL (default: 5s)',
    parseDuration('--postgres-read-timeout'),
  );
  add(
    '--postgres-reads <source>',
    'URL as in --postgres; memories and keys are read from its hosts that are replicas',
    (source) => readReplicaHosts(source, env),
  );
  add(
    '--postgres-max-lag <duration>',
    'how far a read may be behind the primary (default: 2s)',
    parseDuration('--postgres-max-lag', { from: '250ms', to: '1h' }),
  );
  add(
    '--postgres-max-outage <duration>',
    'the same while the primary cannot be reached (default: 60s)',
    parseDuration('--postgres-max-outage', { from: '0s', to: '1h' }),
  );
  return add(
    '--postgres-fallback <number>',
    'connections to the primary that reads may use in place of a replica (default: half of the pool)',
    parseCount('--postgres-fallback', 999_999, 0),
  );
}

/** @throws CommandError if an option for replicas lacks another option that it requires, or does not fit it. */
export function assertPostgresOptions(options: StorageOptions): void {
  const { postgres, postgresReads, postgresPoolSize } = options;
  if (postgres === undefined || postgresReads === undefined) {
    const required = postgres === undefined ? '--postgres' : '--postgres-reads';
    const values = {
      '--postgres-reads': postgresReads,
      '--postgres-max-lag': options.postgresMaxLag,
      '--postgres-max-outage': options.postgresMaxOutage,
      '--postgres-fallback': options.postgresFallback,
    };
    const [given] = Object.entries(values).find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined) throw usageError(`${given}: it requires ${required}. Pass ${required} too.`);
  } else if (postgres.mustBeWritable === false) {
    throw usageError('--postgres: with --postgres-reads, its target_session_attrs can only be read-write. Remove it.');
  } else if (postgresPoolSize === 1) {
    throw usageError(
      '--postgres-pool-size: with --postgres-reads, each check holds a connection, and 1 leaves none. Pass 2 or more.',
    );
  }
}
