/**
 * A store in PostgreSQL, for any number of replicas, through the pool of the `pg` package or one of its shape.
 *
 * @packageDocumentation
 */

export { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store.ts';
export { migratePostgresStore } from './migrate-postgres-store.ts';
export type { PostgresConnection, PostgresPool, PostgresResult } from './postgres-pool.ts';
export { PostgresStoreError, type PostgresStoreErrorCode } from './postgres-store-error.ts';
