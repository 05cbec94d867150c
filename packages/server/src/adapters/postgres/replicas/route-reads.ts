import type { Row } from '../postgres-query.ts';
import { codeOf, explainPostgresError, PostgresStoreError } from '../postgres-store-error.ts';
import type { CheckedReplica, CheckedServers } from './checked-server.ts';
import { createFallbackConnections } from './fallback-connections.ts';

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

/**
 * Reads from a replica, from another one if that fails, and then from the primary: at most once from each of the three.
 * If a replica returns no row, the primary is read too, if it is reachable and a fallback connection is free.
 */
export type Read = (sql: string, values?: unknown[], options?: ReadOptions) => Promise<Row[]>;

/** Chooses the server of each read. */
export interface ReadRouter {
  read: Read;
  counts(): { replica: number; fallback: number; recheck: number };
}

/** Maximum number of replicas that one read is sent to. */
const mostReplicas = 2;

export function routeReads(servers: CheckedServers, { fallbackReads }: { fallbackReads: number }): ReadRouter {
  const { primary, replicas } = servers;
  const connections = createFallbackConnections(fallbackReads);
  const counts = { replica: 0, fallback: 0, recheck: 0 };
  /** Index of the replica that is preferred among equals. */
  let turn = 0;

  const read: Read = async (sql, values, { signal, series = {} } = {}) => {
    const failed: CheckedReplica[] = [];
    let cause: unknown;
    let primaryFailure: { error: unknown } | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const replica = chooseReplica(failed, series);
      if (replica === undefined) {
        if (primaryFailure !== undefined) throw primaryFailure.error;
        if (primary.isReplica) throw noServerError('the server that should be the primary is a replica', cause);
        const hasConnection = await connections.take(signal);
        // If a replica has become usable during the wait, this read and those behind it need not wait for the primary.
        const canUseReplica = replicas.some((each) => canTry(each, failed));
        if (!hasConnection) {
          if (canUseReplica) continue;
          throw noServerError(busyReason(fallbackReads), cause);
        }
        try {
          if (!signal?.aborted && !canUseReplica && !primary.isReplica)
            return await readPrimary('fallback', sql, values);
        } catch (error) {
          if (isFinal(error)) throw error;
          // Replicas that are too far behind become usable when the primary is found to be unreachable.
          primaryFailure = { error };
        } finally {
          connections.giveBack();
        }
        continue;
      }
      series.replica = replica;
      try {
        const rows = await replica.query(sql, values);
        const canRecheck = rows.length === 0 && !primaryFailure && !signal?.aborted;
        const found = canRecheck ? await recheck(sql, values) : undefined;
        if (found === undefined) counts.replica += 1;
        return found ?? rows;
      } catch (error) {
        if (isFinal(error)) throw error;
        if (hasLostServer(error)) replica.giveUp(error);
        failed.push(replica);
        cause = error;
      }
    }
  };
  return { read, counts: () => ({ ...counts }) };

  function canTry(replica: CheckedReplica, failed: readonly CheckedReplica[]): boolean {
    return failed.length < mostReplicas && !failed.includes(replica) && replica.isUsable();
  }

  /** Returns the replica of the series, otherwise the one with the fewest statements in flight. */
  function chooseReplica(failed: readonly CheckedReplica[], series: ReadSeries): CheckedReplica | undefined {
    if (series.replica !== undefined && canTry(series.replica, failed)) return series.replica;
    const inTurn = [...replicas.slice(turn), ...replicas.slice(0, turn)].filter((replica) => canTry(replica, failed));
    const fewest = Math.min(...inTurn.map(({ inFlight }) => inFlight));
    const chosen = inTurn.find(({ inFlight }) => inFlight === fewest);
    if (chosen !== undefined) turn = replicas.indexOf(chosen) + 1;
    return chosen;
  }

  async function readPrimary(source: 'fallback' | 'recheck', sql: string, values?: unknown[]): Promise<Row[]> {
    const rows = await primary.query(sql, values);
    counts[source] += 1;
    return rows;
  }

  /** Reads from the primary what a replica does not have yet. Returns nothing if the primary does not respond. */
  async function recheck(sql: string, values?: unknown[]): Promise<Row[] | undefined> {
    if (!primary.isReachable || !connections.takeFree()) return undefined;
    try {
      return await readPrimary('recheck', sql, values);
    } catch {
      return undefined;
    } finally {
      connections.giveBack();
    }
  }
}

/** Returns whether every server would fail so: the values are wrong (classes 22 and 23), or the database is not the reason. */
function isFinal(error: unknown): boolean {
  return /^2[23]\w{3}$/.test(codeOf(error)) || storeCodeOf(error) === undefined;
}

/**
 * Errors of a server that can be reached: this pool, the server (classes 53, 55 and 58) or this machine has too few
 * resources for one more connection or statement. Those that exist continue to work.
 */
const shortage =
  /^(timeout exceeded when trying to connect|5[358]\w{3}$|E(MFILE|NFILE|NOBUFS|NOMEM|ADDRNOTAVAIL|ADDRINUSE)$)/;

/** Returns whether later reads would fail too. A conflict with recovery concerns one read only. */
function hasLostServer(error: unknown): boolean {
  const isShortage = shortage.test(codeOf(error) || Object(error).message);
  return !isShortage && ['unreachable', 'timeout'].includes(storeCodeOf(error) ?? '');
}

/** Returns the code with which a store reports the error. */
function storeCodeOf(error: unknown): string | undefined {
  const explained = explainPostgresError(error, 'a replica');
  return Object(explained).name === 'PostgresStoreError' ? codeOf(explained) : undefined;
}

function busyReason(fallbackReads: number): string {
  if (fallbackReads === 0) return 'reads may not use the primary';
  return `the primary was busy with ${fallbackReads} other read${fallbackReads === 1 ? '' : 's'} for 5 s`;
}

function noServerError(reason: string, cause: unknown): PostgresStoreError {
  return new PostgresStoreError(
    'unreachable',
    `Failed to read from PostgreSQL: no replica responded, and ${reason}. Check the replicas.`,
    cause === undefined ? undefined : { cause },
  );
}
