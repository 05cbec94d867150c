import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';
import type { Query, Row } from './postgres-query.ts';
import { findNewerVersion } from './postgres-schema.ts';
import { explainPostgresError, PostgresStoreError } from './postgres-store-error.ts';
import type { PostgresReplicas } from './replicas/postgres-replicas.ts';
import type { Read } from './replicas/route-reads.ts';
import { routerOf } from './replicas/watch-postgres-replicas.ts';
import { limitStatements, statements } from './statements.ts';
import { watchForLoss } from './watch-for-loss.ts';

/** A pool whose errors are explained. It holds no connection between two calls. */
export interface PostgresDatabase {
  /** Runs one statement as a transaction of its own. */
  query: Query;
  /** Runs one statement that only reads, on a replica if there are any. */
  read: Read;
  /** Runs the body in one transaction on one connection. */
  transaction<Result>(body: (query: Query) => Promise<Result>): Promise<Result>;
}

/** Options of {@link createPostgresDatabase}. */
export interface PostgresDatabaseOptions {
  pool: PostgresPool;
  /** Name of the database in messages. */
  name: string;
  /** Maximum time for each statement of a transaction, in milliseconds. */
  statementTimeout?: number | undefined;
  replicas?: PostgresReplicas | undefined;
}

/**
 * Explains errors of the pool as {@link PostgresStoreError}. Errors of a body stay unchanged.
 *
 * If a table or column is missing, the version of the schema is read, because a newer version may have removed it.
 */
export function createPostgresDatabase(options: PostgresDatabaseOptions): PostgresDatabase {
  const { pool, name, statementTimeout, replicas } = options;
  const explain = (error: unknown) => {
    throw explainPostgresError(error, name);
  };
  const send: Read = async (sql, values) => (await pool.query(sql, values)).rows;
  // The version comes from the primary, because a replica may lag behind a migration.
  const lookForNewerVersion = async (error: unknown) => {
    const { code, cause } = Object(error);
    throw (code === 'not_migrated' && (await findNewerVersion(send, name, { cause }))) || error;
  };
  const explained = (rows: Promise<Row[]>) => rows.catch(explain).catch(lookForNewerVersion);
  const read = replicas === undefined ? send : routerOf(replicas).read;
  return {
    query: (...statement) => explained(send(...statement)),
    read: (...statement) => explained(read(...statement)),
    // The version is read after the transaction, because a failed one accepts no statement.
    transaction: (body) => runTransaction(body).catch(lookForNewerVersion),
  };

  async function runTransaction<Result>(body: (query: Query) => Promise<Result>): Promise<Result> {
    const connection = await pool.connect().catch(explain);
    const loss = watchForLoss(connection);
    const query: Query = async (sql, values) => {
      // If the connection was lost between two statements, the next error says only that it is broken.
      return (await connection.query(sql, values).catch((error) => explain(loss.reason ?? error))).rows;
    };
    let isUsable = true;
    try {
      await query(statements.begin);
      if (statementTimeout !== undefined) await query(limitStatements(statementTimeout));
      const result = await body(query);
      await query(statements.commit);
      return result;
    } catch (error) {
      isUsable = await rollBack(connection);
      throw error;
    } finally {
      loss.stopWatching();
      connection.release(!isUsable);
    }
  }
}

/** Returns whether the connection can be used again. */
async function rollBack(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.query(statements.rollback);
    return true;
  } catch {
    return false;
  }
}
