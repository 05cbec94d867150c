/** What of a query's result is looked at. */
export interface PostgresResult {
  rows: Record<string, unknown>[];
}

/** One connection that a pool lends; a client of `pg` is one. */
export interface PostgresConnection {
  /** Runs one statement; `values` are its parameters. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Gives the connection back; with `true` it is closed instead, because nobody knows what state it is in. */
  release(destroy?: boolean): void;
  /** Told when the connection breaks while no query is under way; a client of `pg` ends the process otherwise. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  /** Takes back what `on` was given. */
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** What the store needs of a pool: the shape of `Pool` of the `pg` package. */
export interface PostgresPool {
  /** Runs one statement on any connection. */
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Lends a connection until it is released, for a transaction. */
  connect(): Promise<PostgresConnection>;
}
