import type { DatabaseSync } from 'node:sqlite';

/** Runs reads that belong together: what another process writes between them is not seen. */
export function inSnapshot<Result>(database: DatabaseSync, read: () => Result): Result {
  database.exec('BEGIN');
  try {
    return read();
  } finally {
    database.exec('COMMIT');
  }
}
