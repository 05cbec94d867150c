import { schemaVersion } from './migrations.ts';
import type { Query } from './postgres-query.ts';
import { PostgresStoreError } from './postgres-store-error.ts';
import { statements } from './statements.ts';

/**
 * Returns the version of the schema, or 0 if it has none.
 *
 * @throws PostgresStoreError with code `newer_version` if this software cannot read and write a newer schema.
 */
export async function readSchemaVersion(query: Query, name: string): Promise<number> {
  const version = await readVersion(query);
  if (version <= schemaVersion) return version;
  const [row] = await query(statements.readCompatibility, [version]);
  const compatibleSince = row?.compatible_since;
  if (typeof compatibleSince === 'number' && compatibleSince <= schemaVersion) return version;
  throw newerVersionError(version, name);
}

/** Returns an error if the schema has a newer version, which explains a missing table or column. */
export async function findNewerVersion(
  query: Query,
  name: string,
  options: { cause: unknown },
): Promise<PostgresStoreError | undefined> {
  const version = await readVersion(query).catch(() => 0);
  return version > schemaVersion ? newerVersionError(version, name, options) : undefined;
}

async function readVersion(query: Query): Promise<number> {
  const [row] = await query(statements.readVersion);
  return Number(row?.version);
}

function newerVersionError(version: number, name: string, options?: { cause: unknown }): PostgresStoreError {
  return new PostgresStoreError(
    'newer_version',
    `Failed to use ${name}: its schema has version ${version}, but this software supports only ${schemaVersion}. Update the software.`,
    options,
  );
}
