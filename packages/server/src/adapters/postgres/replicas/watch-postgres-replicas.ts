import { refuseNumber } from '@memory-read/contract/options';
import { assertOptions, assertParts } from '../../../assert-options.ts';
import { poolMethods } from '../postgres-pool.ts';
import { checkServers } from './check-servers.ts';
import type { PostgresReplicas, PostgresReplicasOptions } from './postgres-replicas.ts';
import { type ReadRouter, routeReads } from './route-reads.ts';

/** The routers of all watched replicas. The public object has no method for reads. */
const routers = new WeakMap<PostgresReplicas, ReadRouter>();

const purpose = 'watch PostgreSQL replicas';

/**
 * Returns replicas for {@link createPostgresStore} to read from, and checks them until you close them.
 *
 * A read shows everything that was committed on the primary earlier than `maxLag` before the read began. If no replica is
 * that new, reads use the primary, at most `fallbackReads` at once. While the primary cannot be reached from here,
 * `maxOutage` counts instead of `maxLag` for the replicas that were not further behind, even if others still write to it.
 * A primary that turns out to be a replica is not read.
 *
 * The pause between two checks of a server is an eighth of `maxLag`, from 50 ms to 1 s. If a check takes 1 s, the server
 * counts as unreachable, and reads that wait for it use another server. Each pool needs two connections or more, because
 * the checks hold one of them. Give it a connection timeout.
 *
 * The replicas must stream the changes of the primary. The user of their pools needs the role `pg_read_all_stats`.
 *
 * After `close`, reads use the primary as they do without a usable replica.
 *
 * @throws TypeError if an option has a wrong type, `replicas` is empty, or two replicas have the same name.
 * @throws RangeError if `maxLag`, `maxOutage` or `fallbackReads` is not a whole number in its range.
 *
 * @example
 * ```ts
 * const replicaPool = new Pool({ connectionString: process.env.REPLICA_URL, connectionTimeoutMillis: 10_000 });
 * replicaPool.on('error', ({ message }) => console.error(message));
 * const replicas = watchPostgresReplicas({
 *   primary: pool,
 *   replicas: [{ name: 'db2', pool: replicaPool }],
 *   maxLag: 5_000,
 *   onChange: (event) => console.log(event),
 * });
 * await replicas.checked;
 * const store = createPostgresStore({ pool, replicas });
 * const memory = await store.getMemory({ userId: 'user_1', memoryId: records[0]?.id ?? '' });
 * console.log(memory?.name);
 * await replicas.close(); // before the pools end
 * ```
 */
export function watchPostgresReplicas(options: PostgresReplicasOptions): PostgresReplicas {
  assertShapes(options);
  const { maxLag = 2_000, maxOutage = 60_000, fallbackReads = 5, ...servers } = options;
  assertWhole('maxLag', maxLag, [250, 3_600_000]);
  assertWhole('maxOutage', maxOutage, [0, 3_600_000]);
  assertWhole('fallbackReads', fallbackReads, [0, 999_999]);
  const { servers: checkedServers, ...checking } = checkServers({ ...servers, maxLag, maxOutage });
  const router = routeReads(checkedServers, { fallbackReads });
  const replicas: PostgresReplicas = { ...checking, counts: router.counts };
  routers.set(replicas, router);
  return replicas;
}

/** @throws TypeError if the replicas do not come from {@link watchPostgresReplicas}. */
export function routerOf(replicas: PostgresReplicas): ReadRouter {
  const router = routers.get(replicas);
  if (router !== undefined) return router;
  throw new TypeError(
    'Failed to read from replicas: replicas is not the result of watchPostgresReplicas. Pass that result.',
  );
}

function assertShapes(options: PostgresReplicasOptions): void {
  const advice = 'Pass { primary, replicas: [{ name, pool }] }';
  const poolAt = (path: string) =>
    Object.fromEntries(Object.entries(poolMethods).map(([name, kind]) => [name.replace('pool', path), kind]));
  const limits = { 'maxLag?': 'any', 'maxOutage?': 'any', 'fallbackReads?': 'any' } as const;
  const parts = { ...poolAt('primary'), replicas: 'array', 'onChange?': 'function', ...limits } as const;
  assertOptions(purpose, options, parts, advice);
  const { replicas } = options;
  for (const index of replicas.keys()) {
    const path = `replicas.${index}`;
    assertParts(purpose, options, { [`${path}.name`]: 'string', ...poolAt(`${path}.pool`) }, advice);
  }
  if (replicas.length === 0) throw new TypeError(`Failed to ${purpose}: replicas is empty. ${advice}.`);
  const repeated = replicas.find(({ name }, index) => replicas.findIndex((each) => each.name === name) < index);
  if (repeated === undefined) return;
  throw new TypeError(`Failed to ${purpose}: two replicas are named ${repeated.name}. Give each one its own name.`);
}

function assertWhole(name: string, value: number, range: readonly [from: number, to: number]): void {
  const refused = refuseNumber(name, value, range);
  if (refused) throw new RangeError(`Failed to ${purpose}: ${refused.reason}. ${refused.advice}.`);
}
