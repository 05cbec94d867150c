import type { DatabaseSync } from 'node:sqlite';
import { withStatements } from './statement.ts';

/** Runs the work in one transaction, which is undone if the work throws. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = withStatements(database, work);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has ended the transaction itself after some failures, such as a full disk.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
