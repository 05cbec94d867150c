import { usageError } from '../terminal/command-error.ts';
import { readPostgresSource } from './postgres-source.ts';
import type { PostgresDatabase, PostgresHost } from './postgres-url.ts';

const option = '--postgres-reads';

/**
 * Reads `--postgres-reads`, and returns a database for each host of its URL. Its name is `HOST:PORT`.
 *
 * @throws CommandError if the source cannot be read or the URL is invalid. No error repeats the URL.
 */
export function readReplicaHosts(source: string, env: NodeJS.ProcessEnv): PostgresDatabase[] {
  const { hosts, mustBeWritable, settings } = readPostgresSource(source, env, option);
  if (mustBeWritable !== undefined) {
    throw usageError(`${option}: its target_session_attrs is not supported. Remove it: every host is read from.`);
  }
  const replicas = hosts.map((host) => ({ name: nameOf(host, env), hosts: [host], settings }));
  if (new Set(replicas.map(({ name }) => name.toLowerCase())).size < hosts.length) {
    throw usageError(`${option}: it has a host twice. Remove one of them.`);
  }
  return replicas;
}

/** Where the URL says nothing, `pg` uses these variables and defaults. */
function nameOf({ host, port }: PostgresHost, { PGHOST, PGPORT }: NodeJS.ProcessEnv): string {
  const address = host || PGHOST || 'localhost';
  return `${address.includes(':') ? `[${address}]` : address}:${port ?? (PGPORT || 5432)}`;
}
