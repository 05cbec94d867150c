/** The part of a query result that the store reads. */
export interface PostgresResult {
  /** Rows of the result, by column name. */
  rows: Record<string, unknown>[];
}

/** One connection of a pool. A client of `pg` has these methods. */
export interface PostgresConnection {
  /** Runs one statement; `values` are its parameters. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Returns the connection to the pool. With `true` it is closed instead, because its state is unknown. */
  release(destroy?: boolean): void;
  /**
   * Adds a listener for a connection that breaks between two queries. Without one, a client of `pg` ends the process.
   */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes a listener that `on` has added. */
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** The methods of a pool that the store uses. The `Pool` of the `pg` package has them. */
export interface PostgresPool {
  /** Runs one statement on any connection. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Reserves a connection for a transaction, until it is released. */
  connect(): Promise<PostgresConnection>;
  /** Number of open connections that are not reserved. Those of a server that does not respond are then closed. */
  readonly idleCount?: number | undefined;
}

/** What every caller of a pool must pass. */
export const poolMethods = { 'pool.query': 'function', 'pool.connect': 'function' } as const;
