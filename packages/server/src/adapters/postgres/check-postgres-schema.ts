import { assertOptions } from '../../assert-options.ts';
import { schemaVersion } from './migrations.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { type PostgresPool, poolMethods } from './postgres-pool.ts';
import { readSchemaVersion } from './postgres-schema.ts';
import { migrateTables, PostgresStoreError } from './postgres-store-error.ts';
import type { PostgresReplicas } from './replicas/postgres-replicas.ts';

/**
 * Checks that this software can read and write the tables of the store. It changes nothing.
 *
 * Call it in a readiness check. A process then gets no more requests when a newer version of this software has migrated
 * to a schema that is not compatible. It sends one statement, or two if the schema is newer.
 *
 * @throws {@link PostgresStoreError} with code `newer_version` if this software does not support the newer schema.
 * @throws {@link PostgresStoreError} with code `wrong_encoding` if the database cannot store all of Unicode.
 * @throws {@link PostgresStoreError} with code `not_migrated` if the tables are missing or older than this software.
 * @throws {@link PostgresStoreError} with another code if PostgreSQL cannot be used.
 *
 * @example
 * ```ts
 * await checkPostgresSchema({ pool }); // rejects if this software does not support the schema
 * ```
 */
export async function checkPostgresSchema(options: {
  pool: PostgresPool;
  name?: string | undefined;
  /** Replicas of the store. The pool is used if no replica responds, or if a replica lags behind a migration. */
  replicas?: PostgresReplicas | undefined;
}): Promise<void> {
  const parts = { ...poolMethods, 'name?': 'any', 'replicas?': 'any' } as const;
  assertOptions('check the schema of a PostgreSQL store', options, parts, 'Pass { pool }');
  const { pool, name = 'the PostgreSQL store', replicas } = options;
  const { read, query } = createPostgresDatabase({ pool, name, replicas });
  // A replica may lag behind a migration.
  for (const send of replicas === undefined ? [query] : [read, query]) {
    if ((await readSchemaVersion(send, name)) >= schemaVersion) return;
  }
  throw new PostgresStoreError(
    'not_migrated',
    `Failed to use ${name}: its tables are older than this software. ${migrateTables}.`,
  );
}
