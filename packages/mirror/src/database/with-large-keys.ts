import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs work that writes keys larger than the safe integers of a `number`. Its statements have to read keys as `bigint`.
 *
 * Afterwards, it writes a small key. Otherwise, every later `run` would throw, because it returns the last key of the
 * connection.
 */
export function withLargeKeys(database: DatabaseSync, work: () => void): void {
  try {
    work();
  } finally {
    // `OR REPLACE`, because a process that is killed between the two statements leaves the row.
    database.exec(`INSERT OR REPLACE INTO settings VALUES ('', ''); DELETE FROM settings WHERE name = ''`);
  }
}
