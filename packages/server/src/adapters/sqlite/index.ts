/**
 * A store in one SQLite file, through `node:sqlite`: nothing to build, nothing to run beside.
 *
 * @packageDocumentation
 */

export { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';
export { SqliteStoreError, type SqliteStoreErrorCode } from './sqlite-store-error.ts';
