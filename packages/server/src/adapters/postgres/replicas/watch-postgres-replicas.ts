import type { PostgresReplicas, PostgresReplicasOptions } from './postgres-replicas.ts';
import type { ReadRouter } from './route-reads.ts';

/** The routers of all replicas that are watched: reads are no part of the public object. */
const routers = new WeakMap<PostgresReplicas, ReadRouter>();

/** Checks replicas all the time, so that stores read from those whose data are new enough. */
export function watchPostgresReplicas(_options: PostgresReplicasOptions): PostgresReplicas {
  throw new Error('not written');
}

/** @throws TypeError if the replicas do not come from {@link watchPostgresReplicas}. */
export function routerOf(replicas: PostgresReplicas): ReadRouter {
  const router = routers.get(replicas);
  if (router !== undefined) return router;
  throw new TypeError(
    'Failed to read from replicas: replicas is not the result of watchPostgresReplicas. Pass that result.',
  );
}
