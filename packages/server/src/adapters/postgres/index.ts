/**
 * Stores memories, accounts and API keys in PostgreSQL, for any number of replicas, through a pool of the `pg` package.
 *
 * @packageDocumentation
 */

export { checkPostgresSchema } from './check-postgres-schema.ts';
export { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store.ts';
export { migratePostgresStore } from './migrate-postgres-store.ts';
export type { PostgresConnection, PostgresPool, PostgresResult } from './postgres-pool.ts';
export { PostgresStoreError, type PostgresStoreErrorCode } from './postgres-store-error.ts';
export type {
  PostgresReplicaState,
  PostgresReplicaStatus,
  PostgresReplicas,
  PostgresReplicasEvent,
  PostgresReplicasOptions,
} from './replicas/postgres-replicas.ts';
export { watchPostgresReplicas } from './replicas/watch-postgres-replicas.ts';
