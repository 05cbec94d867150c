import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';

function withDatabase<Result>(folder: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Changes the database of a mirror as another program does. Several statements take no values. */
export function changeDatabase(folder: string, sql: string, ...values: SQLInputValue[]): void {
  withDatabase(folder, (database) => {
    if (values.length === 0) database.exec(sql);
    else database.prepare(sql).run(...values);
  });
}

/** Returns the first row of a question to the database of a mirror. */
export function readRow(
  folder: string,
  sql: string,
  ...values: SQLInputValue[]
): Record<string, SQLOutputValue> | undefined {
  return withDatabase(folder, (database) => database.prepare(sql).get(...values));
}
