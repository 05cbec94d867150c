import type { Row } from '../postgres-query.ts';
import type { CheckedReplica, CheckedServers } from './checked-server.ts';

/** How a statement is read. */
export interface ReadOptions {
  /** Ends the attempts: an aborted read is not repeated. */
  signal?: AbortSignal | undefined;
  /** Reads with the same value stay with one replica while it is usable, as the pages of a list do. */
  series?: ReadSeries | undefined;
}

/** The replica of the last read. */
export interface ReadSeries {
  replica?: CheckedReplica | undefined;
}

/** Reads from a replica. If none has the row, the primary may be asked. */
export type Read = (sql: string, values?: unknown[], options?: ReadOptions) => Promise<Row[]>;

/** Chooses the server of each read. */
export interface ReadRouter {
  read: Read;
  counts(): { replica: number; fallback: number; recheck: number };
}

export function routeReads(_servers: CheckedServers, _options: { fallbackReads: number }): ReadRouter {
  throw new Error('not written');
}
