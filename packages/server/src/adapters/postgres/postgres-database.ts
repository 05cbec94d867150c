import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';
import { explainPostgresError } from './postgres-store-error.ts';
import { limitStatements, statements } from './statements.ts';

export type Row = Record<string, unknown>;

/** Runs one statement and gives its rows. */
export type Query = (sql: string, values?: unknown[]) => Promise<Row[]>;

/** A pool, with errors in words that help. Nothing is held between two calls. */
export interface PostgresDatabase {
  /** One statement, a transaction of its own. */
  query: Query;
  /** All of it or nothing, on one connection that is the body's until it ends. */
  transaction<Result>(body: (query: Query) => Promise<Result>): Promise<Result>;
}

/** Of what {@link createPostgresDatabase} is made. */
export interface PostgresDatabaseOptions {
  pool: PostgresPool;
  /** How messages call it. */
  name: string;
  /** Milliseconds for each statement of a transaction. */
  statementTimeout?: number | undefined;
}

/** @throws PostgresStoreError from all that it asks of the pool; what a body throws stays as it is. */
export function createPostgresDatabase({ pool, name, statementTimeout }: PostgresDatabaseOptions): PostgresDatabase {
  const explain = (error: unknown) => {
    throw explainPostgresError(error, name);
  };
  return {
    query: async (sql, values) => (await pool.query(sql, values).catch(explain)).rows,
    async transaction(body) {
      const connection = await pool.connect().catch(explain);
      const loss = watchForLoss(connection);
      const query: Query = async (sql, values) => {
        // After a loss between two statements, the next one only says that the connection is broken.
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
    },
  };
}

/** A connection that is lost while its transaction waits for the next record must not end the process. */
function watchForLoss(connection: PostgresConnection): { reason?: Error; stopWatching(): void } {
  const onError = (error: Error) => {
    loss.reason ??= error;
  };
  const loss: { reason?: Error; stopWatching(): void } = {
    stopWatching: () => connection.removeListener?.('error', onError),
  };
  connection.on?.('error', onError);
  return loss;
}

/** Whether the connection can be used again. */
async function rollBack(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.query(statements.rollback);
    return true;
  } catch {
    return false;
  }
}
