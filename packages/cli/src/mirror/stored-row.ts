import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import type { Mirror } from '@memory-read/mirror';
import { databasePath } from './find-mirror.ts';

/** Reads a row of a mirror. The mirror was opened before, so its tables are known to be there. */
export function readStoredRow(
  { folder }: Mirror,
  sql: string,
  ...values: SQLInputValue[]
): Record<string, SQLOutputValue> | undefined {
  const database = new DatabaseSync(databasePath(folder), { readOnly: true });
  try {
    return database.prepare(sql).get(...values);
  } finally {
    database.close();
  }
}
