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
  const connection = open(path);
  const statements = new Map<string, StatementSync>();
  let isOpen = true;

  function call<Method extends 'all' | 'get' | 'run'>(method: Method, sql: string, values: SQLInputValue[]) {
    try {
      const statement = statements.get(sql) ?? connection.prepare(sql);
      statements.set(sql, statement);
      return statement[method](...values) as ReturnType<StatementSync[Method]>;
    } catch (error) {
      throw explained(error);
    }
  }

  function explained(error: unknown): unknown {
    if (isOpen) return explainSqliteError(error, 'use the SQLite store', path);
    const message = `Failed to use the SQLite store ${JSON.stringify(path)}: the store is closed. Open it again.`;
    return new SqliteStoreError('closed', message);
  }

  function exec(sql: string): void {
    try {
      connection.exec(sql);
    } catch (error) {
      throw explained(error);
    }
  }

  return {
    all: (sql, ...values) => call('all', sql, values),
    get: (sql, ...values) => call('get', sql, values),
    run: (sql, ...values) => Number(call('run', sql, values).changes),
    exec,
    transaction: (body) => inTransaction(exec, beginWriting, body),
    temporaryTransaction: (body) => inTransaction(exec, 'BEGIN', body),
    close() {
      if (!isOpen) return;
      isOpen = false;
      statements.clear();
      connection.close();
    },
  };
}

function open(path: string): DatabaseSync {
  try {
    const connection = new DatabaseSync(path);
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return connection;
  } catch (error) {
    throw explainSqliteError(error, 'open the SQLite store', path);
  }
}

/** Takes the lock of the file, or fails if another connection has it. */
export const beginWriting = 'BEGIN IMMEDIATE';

function inTransaction<Result>(exec: (sql: string) => void, begin: string, body: () => Result): Result {
  exec(begin);
  try {
    const result = body();
    exec('COMMIT');
    return result;
  } catch (error) {
    rollBack({ exec });
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
