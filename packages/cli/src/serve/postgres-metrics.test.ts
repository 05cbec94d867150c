import type { PostgresReplicaStatus } from '@memory-read/server/postgres';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addPostgresMetrics } from './postgres-metrics.ts';

test('every host has a series from the start, and counts follow the replicas', async () => {
  const registry = new Registry();
  let status: PostgresReplicaStatus[] = [
    { name: 'db1:5432', state: 'lagging', lag: null },
    { name: 'db2:5432', state: 'used', lag: 1_500 },
  ];
  const counts = { replica: 3, fallback: 0, recheck: 0 };
  addPostgresMetrics({ replicas: { status: () => status, counts: () => counts } }, [registry]);
  const series = async () => (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  expect(await series()).toEqual([
    'memory_read_postgres_replica_usable{host="db1:5432"} 0',
    'memory_read_postgres_replica_usable{host="db2:5432"} 1',
    'memory_read_postgres_replica_lag_seconds{host="db2:5432"} 1.5',
    'memory_read_postgres_reads_total{source="replica"} 3',
    'memory_read_postgres_reads_total{source="fallback"} 0',
    'memory_read_postgres_reads_total{source="recheck"} 0',
  ]);
  status = [
    { name: 'db1:5432', state: 'used', lag: 0 },
    { name: 'db2:5432', state: 'unreachable', lag: null },
  ];
  Object.assign(counts, { replica: 7, fallback: 2, recheck: 1 });
  expect(await series()).toEqual([
    'memory_read_postgres_replica_usable{host="db1:5432"} 1',
    'memory_read_postgres_replica_usable{host="db2:5432"} 0',
    'memory_read_postgres_replica_lag_seconds{host="db1:5432"} 0',
    'memory_read_postgres_reads_total{source="replica"} 7',
    'memory_read_postgres_reads_total{source="fallback"} 2',
    'memory_read_postgres_reads_total{source="recheck"} 1',
  ]);
});

test('a storage without connections has no metrics of PostgreSQL', async () => {
  const registry = new Registry();
  addPostgresMetrics({}, [registry]);
  expect(await registry.metrics()).not.toContain('memory_read');
});
