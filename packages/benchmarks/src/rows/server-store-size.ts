import { apiKeyAuthenticator, createMemoryApi, type MemoryStore } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { Pool } from 'pg';
import { ratio } from '../measurement/finding.ts';
import type { Means, Row } from '../measurement/row.ts';
import type { Rounds } from '../measurement/run-rounds.ts';
import { timeCalls } from '../measurement/time.ts';
import { authorization } from '../memories/account.ts';
import { fillStore, smallStoreFile } from '../memories/files.ts';
import { memoryIdAt, smallRecords } from '../memories/small-records.ts';

const smallCount = 1_000;

/** Microseconds a call, round by round. */
type Times = Rounds<'small' | 'large'>;

export const serverStoreSize: Row = {
  id: 'server-store-size',
  title: 'Server: one memory of a large store, against a small one',
  method:
    'The API is called without HTTP, so that HTTP does not hide the difference. The requested ids are spread over the whole store. All memories belong to one account. PostgreSQL runs on the same machine, with its defaults except for fsync.',
  async measure(means) {
    const sqlite = await timeSqlite(means);
    const postgres = await timePostgres(means);
    const counts = `${means.sizes.storedMemories.toLocaleString('en')} stored against ${smallCount.toLocaleString('en')}`;
    return {
      findings: [
        ratio(`SQLite: ${counts}`, sqlite.large, sqlite.small, { atMost: 1.3 }),
        ratio(`PostgreSQL: ${counts}`, postgres.large, postgres.small, { atMost: 1.3 }),
      ],
      explanation:
        'Both find a memory through one index. With the size of the store, the depth of the index grows, and so does the share of its pages that are not cached.',
    };
  },
};

async function timeSqlite({ folder, sizes }: Means): Promise<Times> {
  const small = openSqliteStore({ path: await smallStoreFile(folder, smallCount) });
  const large = openSqliteStore({ path: await smallStoreFile(folder, sizes.storedMemories) });
  const times = await timeReads({ small, large }, sizes);
  await Promise.all([small.close(), large.close()]);
  return times;
}

async function timePostgres({ sizes }: Means): Promise<Times> {
  const server = await startPostgres();
  const pools: Pool[] = [];
  try {
    const open = (url: string) => {
      const pool = new Pool({ connectionString: url, max: 4 });
      // `pool.end` does not wait until its connections are closed, so they may still get PostgreSQL's shutdown message.
      pools.push(pool.on('error', () => {}));
      return pool;
    };
    const fill = async (count: number) => {
      await open(server.url).query(`CREATE DATABASE store_${count}`);
      const pool = open(server.url.replace(/postgres$/, `store_${count}`));
      await migratePostgresStore({ pool });
      const store = createPostgresStore({ pool });
      await fillStore(store, smallRecords(count));
      await pool.query('VACUUM ANALYZE');
      return store;
    };
    return await timeReads({ small: await fill(smallCount), large: await fill(sizes.storedMemories) }, sizes);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await server.stop();
  }
}

type Store = MemoryStore & Parameters<typeof apiKeyAuthenticator>[0];

function timeReads({ small, large }: Record<'small' | 'large', Store>, sizes: Means['sizes']): Promise<Times> {
  const calls = { small: readSpread(small, smallCount), large: readSpread(large, sizes.storedMemories) };
  return timeCalls(calls, { rounds: sizes.rounds, count: sizes.callsARound });
}

/** Each call reads another memory, far from the previous one. */
function readSpread(store: Store, count: number): () => Promise<void> {
  // Signing costs nothing here, so that the rest is measured.
  const mediaSigner = { sign: () => 'http://127.0.0.1/media' };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  let place = 0;
  return async () => {
    place = (place + 7_919) % count;
    const url = `http://127.0.0.1/v1/memories/${memoryIdAt(place)}`;
    const response = await api.fetch(new Request(url, { headers: { authorization } }));
    if (response.status !== 200)
      throw new Error(`Failed to read memory ${place}: the status is ${response.status}. See the log of the server.`);
    await response.text();
  };
}
