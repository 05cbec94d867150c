import type { Pool, PoolClient } from 'pg';

/** A statement that a connection is about to send. */
export interface SentStatement {
  text: string;
  values: unknown[];
  connection: PoolClient;
}

/** Calls the observer before each statement of the pool. */
export function watchStatements(pool: Pool, observe: (statement: SentStatement) => void): void {
  pool.on('connect', (connection) => {
    const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
    Object.assign(connection, {
      query(text: unknown, values?: unknown, ...rest: unknown[]) {
        observe({ text: String(text), values: Array.isArray(values) ? values : [], connection });
        return query(text, values, ...rest);
      },
    });
  });
}
