import type { DatabaseSync } from 'node:sqlite';

/** Runs several reads on one state of the database, without later writes of other processes. */
export function inSnapshot<Result>(database: DatabaseSync, read: () => Result): Result {
  database.exec('BEGIN');
  try {
    return read();
  } finally {
    // SQLite has ended the transaction itself after some failures, such as a full disk.
    if (database.isTransaction) database.exec('COMMIT');
  }
}
