import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { explainSqliteError, SqliteStoreError } from './sqlite-store-error.ts';

export type Row = Record<string, unknown>;

/** One connection. Each call is complete in itself: no cursor or snapshot is held while a caller waits. */
export interface SqliteConnection {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number;
  exec(sql: string): void;
  /** Runs the body in one transaction, which waits for the lock of the file. The body must be synchronous. */
  transaction<Result>(body: () => Result): Result;
  /** Runs the body in a transaction that does not lock the file, for example over a temporary database. */
  temporaryTransaction<Result>(body: () => Result): Result;
  close(): void;
}

/** Maximum time that a write waits for the lock of another process. */
export const busyTimeoutMs = 5_000;

/** @throws {@link SqliteStoreError} if the file cannot be opened. */
export function createSqliteConnection(path: string): SqliteConnection {
  const connection = explained('open', path, () => new DatabaseSync(path));
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const statements = new Map<string, StatementSync>();
  let isOpen = true;

  function access<Result>(action: () => Result): Result {
    if (isOpen) return explained('use', path, action);
    throw new SqliteStoreError(
      'closed',
      `Failed to use the SQLite store ${JSON.stringify(path)}: the store is closed. Open it again.`,
    );
  }

  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    all: (sql, ...values) => access(() => prepared(sql).all(...values)),
    get: (sql, ...values) => access(() => prepared(sql).get(...values)),
    run: (sql, ...values) => access(() => Number(prepared(sql).run(...values).changes)),
    exec: (sql) => access(() => connection.exec(sql)),
    transaction: (body) => access(() => inTransaction(connection, beginWriting, body)),
    temporaryTransaction: (body) => access(() => inTransaction(connection, 'BEGIN', body)),
    close() {
      if (!isOpen) return;
      isOpen = false;
      statements.clear();
      connection.close();
    },
  };
}

/** Takes the lock of the file, or fails if another connection has it. */
export const beginWriting = 'BEGIN IMMEDIATE';

function inTransaction<Result>(connection: DatabaseSync, begin: string, body: () => Result): Result {
  connection.exec(begin);
  try {
    const result = body();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Ends a transaction that has failed. */
export function rollBack(connection: Pick<SqliteConnection, 'exec'>): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // If the disk is full, SQLite has rolled back already. The first error says more than this one.
  }
}

function explained<Result>(action: string, path: string, body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    throw explainSqliteError(error, `${action} the SQLite store`, path);
  }
}
