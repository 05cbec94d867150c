import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { expect, onTestFinished } from 'vitest';
import type { Load } from './load.ts';
import { connectionsTo, fillPostgres, memoryCount, urlOfAll } from './postgres-service.ts';
import { startPgBouncer } from './start-pgbouncer.ts';
import { startTcpProxy, type TcpProxy, throughProxy } from './start-tcp-proxy.ts';

/** Number of requests in flight during an outage. */
export const readers = 8;

/** The connections of PgBouncer to PostgreSQL, fewer than those of `serve`. */
const bouncedConnections = 2;

/** A database with an account, as `serve` reaches it. */
export interface Database {
  url: string;
  key: string;
  postgres: PostgresServer;
  /** Interrupts it under load. */
  lose(load: Load): Promise<void>;
  repair(): Promise<void>;
}

export async function behindProxy(lose: (proxy: TcpProxy, load: Load) => Promise<void>): Promise<Database> {
  const { postgres, key } = await startFilled();
  const proxy = await startTcpProxy(Number(new URL(postgres.url).port));
  onTestFinished(() => proxy.close());
  const url = throughProxy(postgres.url, proxy);
  return { url, key, postgres, lose: (load: Load) => lose(proxy, load), repair: async () => proxy.forward() };
}

export async function behindPgBouncer(): Promise<Database> {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const { url, crash, startAgain } = await startPgBouncer(postgres.url, bouncedConnections);
  onTestFinished(crash);
  const key = await fillPostgres(url, sampleRecords(memoryCount));
  const lose = async (load: Load) => {
    expect((await connectionsTo(postgres)).length).toBeLessThanOrEqual(bouncedConnections);
    await crash();
    await load.ended(readers);
  };
  return { url, key, postgres, lose, repair: startAgain };
}

export async function restarting(): Promise<Database> {
  const { postgres, key } = await startFilled();
  const lose = async (load: Load) => {
    await postgres.shutDown();
    await load.ended(2 * readers);
  };
  return { url: postgres.url, key, postgres, lose, repair: () => postgres.startAgain() };
}

/** A primary with a standby, which is promoted to repair the database. */
export async function withStandby(end: (primary: PostgresServer) => unknown, failures: number): Promise<Database> {
  const { postgres, key } = await startFilled();
  const standby = await postgres.startStandby();
  onTestFinished(standby.stop);
  const lose = async (load: Load) => {
    await end(postgres);
    await load.ended(failures);
  };
  const url = `${urlOfAll([postgres, standby])}?target_session_attrs=read-write`;
  return { url, key, postgres, lose, repair: async () => void (await standby.query('SELECT pg_promote()')) };
}

async function startFilled() {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  return { postgres, key: await fillPostgres(postgres.url, sampleRecords(memoryCount)) };
}
