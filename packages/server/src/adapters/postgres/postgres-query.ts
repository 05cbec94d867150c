export type Row = Record<string, unknown>;

/** Runs one statement and returns its rows. */
export type Query = (sql: string, values?: unknown[]) => Promise<Row[]>;
