/** What of a query's result is looked at. */
export interface PostgresResult {
  rows: Record<string, unknown>[];
}

/** One connection that a pool lends; a client of `pg` is one. */
export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Gives the connection back; with `true` it is closed instead, because nobody knows what state it is in. */
  release(destroy?: boolean): void;
  /** Told when the connection breaks while no query is under way; a client of `pg` ends the process otherwise. */
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** What the store needs of a pool: the shape of `Pool` of the `pg` package. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  connect(): Promise<PostgresConnection>;
}
