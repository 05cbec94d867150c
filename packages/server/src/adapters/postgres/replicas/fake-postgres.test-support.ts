import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import type { PostgresPool, PostgresResult } from '../postgres-pool.ts';
import { replicationStatements } from '../statements.ts';

/** A PostgreSQL server whose replication is set by a test. */
export interface FakePostgres {
  pool: PostgresPool;
  cluster: string;
  /** `null` on a primary. */
  stream: { timeline: number | undefined } | null;
  timeline: number;
  lsn: bigint;
  /** Whether the user may read the state of replication. */
  isPermitted: boolean;
  /** Time that each response and each connection takes. */
  delay: number;
  /** Whether it sends nothing any more, as a frozen server. */
  isFrozen: boolean;
  /** Error with which it refuses connections and statements. */
  failure: Error | undefined;
  /** Runs a statement that is not a check. At first, it returns one row with the statement. */
  answer(sql: string, values?: unknown[]): Promise<PostgresResult>;
  /** Checks that it received. */
  sent: string[];
  connections: FakeConnection[];
}

export interface FakeConnection extends EventEmitter {
  /** Whether it was destroyed when it was given back. `undefined` while it is held. */
  released: boolean | undefined;
}

const checks = Object.values<string>(replicationStatements);

export function fakePostgres(values: Partial<FakePostgres> = {}): FakePostgres {
  const server: FakePostgres = {
    ...{ cluster: '7', stream: null, timeline: 1, lsn: 0x1_0000_0010n, isPermitted: true, delay: 0 },
    ...{ isFrozen: false, failure: undefined, sent: [], connections: [] },
    answer: async (sql) => ({ rows: [{ sql }] }),
    pool: {
      query: run,
      async connect() {
        await respond();
        const connection = Object.assign(new EventEmitter(), {
          released: undefined as boolean | undefined,
          release(destroy = false) {
            if (connection.released !== undefined) throw new Error('Released twice');
            connection.released = destroy;
          },
          async query(sql: string, parameters?: unknown[]): Promise<PostgresResult> {
            if (!checks.includes(sql)) return run(sql, parameters);
            server.sent.push(sql);
            const rows = rowsOf(sql);
            await respond();
            return { rows };
          },
        });
        server.connections.push(connection);
        return connection;
      },
    },
    ...values,
  };
  return server;

  async function run(...statement: [sql: string, values?: unknown[]]): Promise<PostgresResult> {
    await respond();
    return server.answer(...statement);
  }

  async function respond(): Promise<void> {
    if (server.delay > 0) await new Promise((resolve) => setTimeout(resolve, server.delay));
    if (server.failure !== undefined) throw server.failure;
    if (server.isFrozen) await new Promise(() => {});
  }

  function rowsOf(sql: string): Record<string, unknown>[] {
    const { cluster, stream, timeline, isPermitted } = server;
    const lsn = `${(server.lsn >> 32n).toString(16)}/${(server.lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
    switch (sql) {
      case replicationStatements.identifyServer:
        return [{ cluster, is_permitted: String(isPermitted) }];
      case replicationStatements.readPrimaryPosition: {
        const file = `${timeline.toString(16).padStart(8, '0')}0000000100000000`;
        return stream === null ? [{ lsn, file }] : [];
      }
      case replicationStatements.readReplicaPosition: {
        const followed = isPermitted ? stream?.timeline : stream && 0;
        return [{ is_in_recovery: String(stream !== null), lsn, timeline: followed?.toString() ?? null }];
      }
      default:
        throw new Error(`Unknown statement: ${sql}`);
    }
  }
}

/** Fakes the time until {@link advance} lets it pass. */
export function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}

/** Lets time pass, and then what the time-out defers to the next turn. */
export async function advance(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(0);
}

/** Closes what a test has watched, and ends the fake time. */
export async function endWatch(watched: { close(): Promise<void> } | undefined): Promise<void> {
  const closed = watched?.close();
  await advance(2_000);
  await closed;
  vi.useRealTimers();
}
