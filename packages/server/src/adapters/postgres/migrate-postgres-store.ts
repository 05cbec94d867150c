import { schemaVersion, tables, upgrades } from './migrations.ts';
import { createPostgresDatabase, type PostgresDatabase, type Query } from './postgres-database.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { codeOf, PostgresStoreError } from './postgres-store-error.ts';
import { statements } from './statements.ts';

const defaultName = 'the PostgreSQL store';
const maximumAttempts = 20;
const beyondTheBasicPlane = '\u{1f3a7}';
// Another replica was faster: a serialization failure, a deadlock, or a row, table or type that it has just created.
const lostRaces = ['40001', '40P01', '23505', '42P07', '42710'];

/**
 * Creates the tables of the store, or upgrades them to the newest version. If they are current, it does nothing.
 *
 * Call it when a replica starts. If several replicas call it at the same time, one migrates and the others wait. The
 * tables are created in the first schema of the `search_path`. If they are current, the user needs no permission to
 * create tables.
 *
 * Each statement is limited by the pool's `statement_timeout` or `query_timeout`. An upgrade changes 1,000 memories
 * with each statement.
 *
 * @throws {@link PostgresStoreError} with code `newer_version` if a newer version of this software created the tables.
 * @throws {@link PostgresStoreError} with code `other_application` if the tables belong to another application.
 * @throws {@link PostgresStoreError} with code `wrong_encoding` if the database cannot store all of Unicode.
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
  const { pool, name = defaultName } = options;
  const database = createPostgresDatabase({ pool, name });
  // If the encoding of the database lacks this character, some names could not be stored, and reads of some ids would
  // fail.
  await database.query(statements.echo, [beyondTheBasicPlane]);
  if ((await currentVersion(database, name)) === schemaVersion) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.transaction((query) => migrate(query, name));
      return;
    } catch (error) {
      if (attempt === maximumAttempts || !isLostRace(error)) throw error;
    }
  }
}

/** Only reads, so that a current database needs no permission to write. */
async function currentVersion(database: PostgresDatabase, name: string): Promise<number> {
  try {
    return await readVersion(database.query, name);
  } catch (error) {
    if (error instanceof PostgresStoreError && error.code === 'not_migrated') return 0;
    throw error;
  }
}

async function migrate(query: Query, name: string): Promise<void> {
  await query(statements.createVersions);
  const version = await readVersion(query, name);
  // The insert comes first, so that a second replica waits here and then fails on the unique number.
  for (let next = version + 1; next <= schemaVersion; next += 1) await query(statements.insertVersion, [next]);
  const steps = version === 0 ? tables : upgrades.slice(version - 1).flat();
  for (const sql of steps) await runStep(query, sql);
}

async function runStep(query: Query, sql: string): Promise<void> {
  if (!sql.includes('$1')) return void (await query(sql));
  let id: unknown = '';
  while (typeof id === 'string') id = (await query(sql, [id]))[0]?.id;
}

async function readVersion(query: Query, name: string): Promise<number> {
  const [row] = await query(statements.readVersion);
  const version = Number(row?.version);
  if (version <= schemaVersion) return version;
  throw new PostgresStoreError(
    'newer_version',
    `Failed to use ${name}: its schema has version ${version}, but this software supports only ${schemaVersion}. Update the software.`,
  );
}

function isLostRace(error: unknown): boolean {
  return lostRaces.includes(codeOf(error)) || lostRaces.includes(codeOf((error as Error).cause));
}
