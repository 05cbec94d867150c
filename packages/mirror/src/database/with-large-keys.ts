import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs work that writes keys beyond the whole numbers of a double. Its statements have to read them as `bigint`.
 *
 * SQLite returns the last key of the connection from every later `run`, which would throw.
 */
export function withLargeKeys(database: DatabaseSync, work: () => void): void {
  try {
    work();
  } finally {
    // A process that is killed between the two statements leaves the row.
    database.exec(`INSERT OR REPLACE INTO settings VALUES ('', ''); DELETE FROM settings WHERE name = ''`);
  }
}
