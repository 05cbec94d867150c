import { assertOptions } from '../../assert-options.ts';
import { type ComparedText, compatibleSince, schemaVersion, tables, upgrades } from './migrations.ts';
import { createPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';
import { type PostgresPool, poolMethods } from './postgres-pool.ts';
import type { Query, Row } from './postgres-query.ts';
import { readSchemaVersion } from './postgres-schema.ts';
import { codeOf, PostgresStoreError } from './postgres-store-error.ts';
import { statements } from './statements.ts';

const defaultName = 'the PostgreSQL store';
const maximumAttempts = 20;
// In this order by their bytes. Every language has a before Z.
const byBytes = ['Z\u{1f3a7}', 'a\u{1f3a7}'];
// Another process was faster: a serialization failure, a deadlock, or a row, table or type that it has just created.
const lostRaces = ['40001', '40P01', '23505', '42P07', '42710'];

/**
 * Creates the tables of the store, or upgrades them to the newest version. If they are current, it does nothing. If a
 * newer version of this software has upgraded them to a schema that this version supports too, it does nothing either.
 *
 * Call it when a process starts. If several processes call it at the same time, one migrates and the others wait. The
 * tables are created in the first schema of the `search_path`. If they are current, the user needs no permission to
 * create tables.
 *
 * Each statement is limited by the pool's `statement_timeout` or `query_timeout`. An upgrade changes 1,000 memories
 * with each statement.
 *
 * @throws {@link PostgresStoreError} with code `newer_version` if this version of the software does not support a newer
 * schema.
 * @throws {@link PostgresStoreError} with code `other_application` if the tables belong to another application.
 * @throws {@link PostgresStoreError} with code `wrong_encoding` if the database cannot store all of Unicode.
 * @throws {@link PostgresStoreError} with code `wrong_collation` if the columns do not order text by its bytes, as after a
 * restore into a database with another collation.
 * @throws {@link PostgresStoreError} with code `not_permitted` if the user may not create tables.
 * @throws {@link PostgresStoreError} with another code if PostgreSQL cannot be used.
 *
 * @example
 * ```ts
 * await migratePostgresStore({ pool });
 * const store = createPostgresStore({ pool });
 * await store.putAccount({ userId: 'user_1' });
 * await store.putMemories('user_1', records);
 * ```
 */
export async function migratePostgresStore(options: { pool: PostgresPool; name?: string | undefined }): Promise<void> {
  const parts = { ...poolMethods, 'name?': 'any' } as const;
  assertOptions('migrate a PostgreSQL store', options, parts, 'Pass { pool }');
  const { pool, name = defaultName } = options;
  const database = createPostgresDatabase({ pool, name });
  // If the encoding of the database lacks a character, this fails. Some names could not be stored in it.
  const isOrdered = await isBefore(database.query(statements.compareText, byBytes));
  const version = await currentVersion(database, name);
  if (version < schemaVersion) {
    const text = isOrdered ? 'TEXT' : 'TEXT COLLATE "C"';
    const migrated = repeatLostRaces(() => database.transaction((query) => migrate(query, name, text)));
    await (version === 0 ? migrated.catch((error) => explainMissingTables(error, name)) : migrated);
  }
  if (await isBefore(database.query(statements.compareIds, byBytes))) return;
  throw new PostgresStoreError(
    'wrong_collation',
    `Failed to use ${name}: its tables do not order text by bytes. Restore them in a database with the locale C.`,
  );
}

/** A server may only read, so its database is wrong or not restored, rather than its rights. */
function explainMissingTables(error: unknown, name: string): never {
  const { code, cause } = Object(error);
  if (code !== 'not_permitted') throw error;
  const { message: denial } = cause as Error;
  throw new PostgresStoreError(
    'not_permitted',
    `Failed to use ${name}: its tables are missing, and the user may not create them (${denial}). Check the name of the database, restore a backup, or create the tables as another user.`,
    { cause },
  );
}

async function isBefore(rows: Promise<Row[]>): Promise<boolean> {
  return (await rows)[0]?.is_before === 'true';
}

async function repeatLostRaces(body: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await body();
    } catch (error) {
      if (attempt === maximumAttempts || !isLostRace(error)) throw error;
    }
  }
}

/** Only reads, so that a current database needs no permission to write. */
async function currentVersion(database: PostgresDatabase, name: string): Promise<number> {
  try {
    return await readSchemaVersion(database.query, name);
  } catch (error) {
    if (codeOf(error) === 'not_migrated') return 0;
    throw error;
  }
}

async function migrate(query: Query, name: string, text: ComparedText): Promise<void> {
  await query(statements.createVersions);
  const version = await readSchemaVersion(query, name);
  // The insert comes first, so that a second process waits here and then fails on the unique number.
  for (let next = version + 1; next <= schemaVersion; next += 1) await query(statements.insertVersion, [next]);
  if (version >= schemaVersion) return;
  const steps = version === 0 ? tables(text) : upgrades.slice(version - 1).flatMap((upgrade) => upgrade.steps);
  for (const sql of steps) await runStep(query, sql);
  await query(statements.putCompatibility, [schemaVersion, compatibleSince]);
}

async function runStep(query: Query, sql: string): Promise<void> {
  if (!sql.includes('$1')) return void (await query(sql));
  let id: unknown = '';
  while (typeof id === 'string') id = (await query(sql, [id]))[0]?.id;
}

function isLostRace(error: unknown): boolean {
  return lostRaces.includes(codeOf((error as Error).cause));
}
