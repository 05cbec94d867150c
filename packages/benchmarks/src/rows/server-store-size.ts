import { apiKeyAuthenticator, createMemoryApi, type MemoryApi, type MemoryStore } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { Pool } from 'pg';
import type { Curve, Finding, Means, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, type Spread, spreadOf } from '../measurement/statistics.ts';
import { timePerCall } from '../measurement/time.ts';
import { authorization } from '../memories/account.ts';
import { freeSigner } from '../memories/free-signer.ts';
import { memoryIdAt, smallRecords } from '../memories/small-records.ts';
import { fillStore, smallStoreFile } from '../memories/store-file.ts';

const smallCount = 1_000;

interface Comparison {
  ratio: Spread;
  points: [number, number][];
}

export const serverStoreSize: Row = {
  id: 'server-store-size',
  title: 'Server: one memory of a large store, against a small one',
  method:
    'The API is called without HTTP, so that HTTP does not hide the difference. The requested ids are spread over the whole store. All memories belong to one account. PostgreSQL runs on the same machine, with its defaults except for fsync.',
  async measure(means) {
    const sqlite = await compareSqlite(means);
    const postgres = await comparePostgres(means);
    const count = means.sizes.storedMemories.toLocaleString('en');
    const finding = (name: string, { ratio }: Comparison): Finding => ({
      what: `${name}: ${count} stored against ${smallCount.toLocaleString('en')}`,
      value: ratio,
      unit: '×',
      goal: { atMost: 1.3 },
    });
    return {
      findings: [finding('SQLite', sqlite), finding('PostgreSQL', postgres)],
      curves: [curveOf({ SQLite: sqlite.points, PostgreSQL: postgres.points })],
      explanation:
        'Both find a memory through one index. With the size of the store, the depth of the index grows, and so does the share of its pages that are not cached.',
    };
  },
};

async function compareSqlite({ folder, sizes }: Means): Promise<Comparison> {
  const counts = [smallCount, sizes.storedMemories];
  const stores = [];
  for (const count of counts) stores.push(openSqliteStore({ path: await smallStoreFile(folder, count) }));
  const comparison = await compare(stores, counts, sizes);
  await Promise.all(stores.map((store) => store.close()));
  return comparison;
}

async function comparePostgres({ sizes }: Means): Promise<Comparison> {
  const server = await startPostgres();
  const pools: Pool[] = [];
  try {
    const counts = [smallCount, sizes.storedMemories];
    const stores = [];
    for (const count of counts) {
      const pool = new Pool({ connectionString: await createDatabase(server.url, count), max: 4 });
      // `pool.end` does not wait until its connections are closed, so they may still get PostgreSQL's shutdown message.
      pool.on('error', () => {});
      pools.push(pool);
      await migratePostgresStore({ pool });
      const store = createPostgresStore({ pool });
      await fillStore(store, smallRecords(count));
      await pool.query('VACUUM ANALYZE');
      stores.push(store);
    }
    return await compare(stores, counts, sizes);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await server.stop();
  }
}

async function createDatabase(url: string, count: number): Promise<string> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`CREATE DATABASE store_${count}`);
  await pool.end();
  return url.replace(/postgres$/, `store_${count}`);
}

type Store = MemoryStore & Parameters<typeof apiKeyAuthenticator>[0];

async function compare(
  stores: readonly Store[],
  counts: readonly number[],
  sizes: Means['sizes'],
): Promise<Comparison> {
  const [small, large] = stores.map((store, index) => {
    const api = apiOver(store);
    return () => readSpread(api, counts[index] ?? 1, sizes);
  });
  if (small === undefined || large === undefined) throw new Error('There are not two stores to compare.');
  const rounds = await runRounds(sizes.rounds, { small, large });
  const costs = [spreadOf(rounds.small).median, spreadOf(rounds.large).median];
  return {
    ratio: pairedRatio(rounds.large, rounds.small),
    points: counts.map((count, index) => [count, costs[index] ?? Number.NaN]),
  };
}

function apiOver(store: Store): MemoryApi {
  return createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner: freeSigner });
}

/** Microseconds a call. Each call reads another memory, far from the previous one. */
function readSpread(api: MemoryApi, count: number, sizes: Means['sizes']): Promise<number> {
  let place = 0;
  return timePerCall(sizes.callsARound, async () => {
    place = (place + 7_919) % count;
    const url = `http://127.0.0.1/v1/memories/${memoryIdAt(place)}`;
    const response = await api.fetch(new Request(url, { headers: { authorization } }));
    if (response.status !== 200)
      throw new Error(`Failed to read memory ${place}: the status is ${response.status}. See the log of the server.`);
    await response.text();
  });
}

function curveOf(points: Record<string, [number, number][]>): Curve {
  return {
    id: 'store-size',
    title: 'Time of one memory by the number stored',
    xLabel: 'memories stored',
    yLabel: 'microseconds',
    series: Object.entries(points).map(([name, ofStore]) => ({ name, points: ofStore })),
  };
}
