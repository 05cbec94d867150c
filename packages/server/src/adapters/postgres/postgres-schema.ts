import { schemaVersion } from './migrations.ts';
import type { Query } from './postgres-query.ts';
import { explainedError, PostgresStoreError, wrongEncoding } from './postgres-store-error.ts';
import { statements } from './statements.ts';

/** One character in an encoding that supports all of Unicode. In `SQL_ASCII`, it is four. Other encodings lack it. */
const rareCharacter = '\u{1f3a7}';

/**
 * Returns the version of the schema, or 0 if it has none.
 *
 * @throws PostgresStoreError with code `wrong_encoding` if the database cannot store all of Unicode.
 * @throws PostgresStoreError with code `newer_version` if this software cannot read and write a newer schema.
 */
export async function readSchemaVersion(query: Query, name: string): Promise<number> {
  const { version, characters } = await readVersion(query);
  if (characters !== '1') throw explainedError(wrongEncoding, name);
  if (version <= schemaVersion) return version;
  const [row] = await query(statements.readCompatibility, [version]);
  const compatibleSince = row?.compatible_since ?? null;
  if (compatibleSince !== null && Number(compatibleSince) <= schemaVersion) return version;
  throw newerVersionError(version, name);
}

/** Returns an error if the schema has a newer version, which explains a missing table or column. */
export async function findNewerVersion(
  query: Query,
  name: string,
  options: { cause: unknown },
): Promise<PostgresStoreError | undefined> {
  const { version } = await readVersion(query).catch(() => ({ version: 0 }));
  return version > schemaVersion ? newerVersionError(version, name, options) : undefined;
}

async function readVersion(query: Query): Promise<{ version: number; characters: unknown }> {
  const [row] = await query(statements.readVersion, [rareCharacter]);
  return { version: Number(row?.version), characters: row?.characters };
}

function newerVersionError(version: number, name: string, options?: { cause: unknown }): PostgresStoreError {
  return new PostgresStoreError(
    'newer_version',
    `Failed to use ${name}: its schema has version ${version}, but this software supports only ${schemaVersion}. Update the software.`,
    options,
  );
}
