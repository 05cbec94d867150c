import { schemaVersion, tables, upgrades } from './migrations.ts';
import { createPostgresDatabase, type PostgresDatabase, type Query } from './postgres-database.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { codeOf, PostgresStoreError } from './postgres-store-error.ts';
import { statements } from './statements.ts';

const defaultName = 'the PostgreSQL store';
const maximumAttempts = 20;
const beyondTheBasicPlane = '\u{1f3a7}';
// Lost against another replica: a serialization failure, a deadlock, or what it made meanwhile, as a row, a table or
// the type of the table's rows.
const lostRaces = ['40001', '40P01', '23505', '42P07', '42710'];

/**
 * Makes the tables of the store, or brings them to the newest version; does nothing where they are.
 *
 * Call it when a replica starts. Several may at once: one does the work, and the others wait for it. The first schema
 * of the connections' `search_path` gets the tables; what is there already needs no right to make any. Waiting is
 * limited by the pool's `statement_timeout`, or its `query_timeout`. An upgrade changes 1,000 memories with each statement.
 *
 * @throws PostgresStoreError with code `newer_version` when a newer version of this software made the tables,
 *   `other_application` when they are someone else's, `wrong_encoding` when the database cannot hold all of Unicode,
 *   `not_permitted` when the user may not make any.
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
  // A database whose encoding lacks it would answer some ids with a failure, and store no memory with such a name.
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

/** Where there is nothing to do, nothing but reading is asked of the database. */
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
  // First, so that a second replica waits here until the first is done, and then loses the race for the number.
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
    `Failed to use ${name}: because its schema is version ${version} and this software knows ${schemaVersion}. Update the software.`,
  );
}

function isLostRace(error: unknown): boolean {
  return lostRaces.includes(codeOf(error)) || lostRaces.includes(codeOf((error as Error).cause));
}
