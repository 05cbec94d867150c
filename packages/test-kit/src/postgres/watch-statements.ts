import type { Pool, PoolClient } from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Calls the observer before a connection of the pool sends a statement. */
export function watchStatements(pool: Pool, observe: (statement: Statement, connection: PoolClient) => void): void {
  pool.on('connect', (connection) => {
    const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
    Object.assign(connection, {
      query(text: unknown, values?: unknown, ...rest: unknown[]) {
        observe({ text: String(text), values: Array.isArray(values) ? values : [] }, connection);
        return query(text, values, ...rest);
      },
    });
  });
}
