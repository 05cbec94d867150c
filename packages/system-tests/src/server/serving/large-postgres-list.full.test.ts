import { tmpdir } from 'node:os';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { beforeAll, expect, test } from 'vitest';
import { fillPostgres, startReplica } from '../faults/postgres-service.ts';
import { listBesideSlowReader } from './list-beside-slow-reader.ts';
import { manyRecords } from './many-records.ts';

const count = 100_000;
/** Megabytes. */
const limit = 64;
let postgres: PostgresServer;
let key: string;

beforeAll(async () => {
  postgres = await startPostgres();
  key = await fillPostgres(postgres.url, manyRecords(count, 'many'));
  return () => postgres.stop();
}, 300_000);

test(`a list of ${count} memories out of PostgreSQL, beside a slow reader, takes less than ${limit} MB`, async () => {
  const server = await startReplica(postgres.url, tmpdir());
  try {
    const { memories, idleMegabytes, peakMegabytes } = await listBesideSlowReader(server, key);
    const above = peakMegabytes - idleMegabytes;
    console.log(`PostgreSQL, one whole list and one of a slow reader: ${above} MB above idle (${idleMegabytes} MB)`);
    expect(above).toBeLessThan(limit);
    expect(new Set(memories.map(({ id }) => id)).size).toBe(count);
    const starts = memories.map(({ started_at }) => started_at);
    expect(starts).toEqual(starts.toSorted().reverse());
  } finally {
    await server.close();
  }
}, 300_000);
