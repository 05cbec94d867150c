import { Counter, Gauge, type Registry } from 'prom-client';
import type { Storage } from '../storage/storage.ts';

/** Adds the metrics of PostgreSQL. A storage without connections or without replicas has no metrics of them. */
export function addPostgresMetrics(
  { connections, replicas }: Pick<Storage, 'connections' | 'replicas'>,
  registers: Registry[],
): void {
  if (connections !== undefined) {
    new Gauge({
      name: 'memory_read_postgres_connections',
      help: 'Connections to PostgreSQL that are active or idle, and reads that are waiting for one.',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
      },
    });
  }
  if (replicas === undefined) return;
  new Gauge({
    name: 'memory_read_postgres_replica_usable',
    help: '1 if memories and keys are read from the replica, otherwise 0.',
    labelNames: ['host'],
    registers,
    collect() {
      for (const { name, state } of replicas.status()) this.set({ host: name }, state === 'used' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'memory_read_postgres_replica_lag_seconds',
    help: 'Time for which the replica may be behind the primary; absent if it is not known.',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const { name, lag } of replicas.status()) if (lag !== null) this.set({ host: name }, lag / 1_000);
    },
  });
  new Counter({
    name: 'memory_read_postgres_reads_total',
    help: 'Reads of replicas, of the primary in place of a replica, and of the primary when a replica found nothing.',
    labelNames: ['source'],
    registers,
    collect() {
      this.reset();
      for (const [source, count] of Object.entries(replicas.counts())) this.inc({ source }, count);
    },
  });
}
