/**
 * Stores memories, accounts and API keys in one SQLite file through `node:sqlite`, without a native dependency or
 * another process.
 *
 * @packageDocumentation
 */

export { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';
export { SqliteStoreError, type SqliteStoreErrorCode } from './sqlite-store-error.ts';
