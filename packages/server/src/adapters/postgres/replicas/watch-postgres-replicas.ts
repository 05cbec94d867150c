import { assertOptions } from '../../../assert-options.ts';
import { poolMethods } from '../postgres-pool.ts';
import { checkServers } from './check-servers.ts';
import type { PostgresReplicas, PostgresReplicasOptions } from './postgres-replicas.ts';
import { type ReadRouter, routeReads } from './route-reads.ts';

/** The routers of all watched replicas. The public object has no method for reads. */
const routers = new WeakMap<PostgresReplicas, ReadRouter>();

const purpose = 'watch PostgreSQL replicas';

/**
 * Returns replicas for {@link createPostgresStore} to read from, and checks them until they are closed.
 *
 * A read that begins at a time shows everything that was committed on the primary `maxLag` before that time. If no
 * replica is that new, reads use the primary, at most `fallbackReads` at once. While the primary cannot be reached,
 * `maxOutage` counts instead of `maxLag`.
 *
 * Each server is checked every `maxLag / 8`, but at least once a second and at most every 50 ms, on a connection of its
 * pool that is held for the checks. A check that takes 1 s fails. Then the server counts as unreachable, and the reads
 * that wait for it continue on another one. A pool needs at least two connections, and should have a connection timeout.
 *
 * The user of the pools needs `pg_read_all_stats` on the replicas. Servers must be physical replicas with a stream.
 *
 * An error that `onChange` throws is ignored. After `close`, reads use the primary as they do without a usable replica.
 *
 * @throws TypeError if an option has a wrong type, there is no replica, or two replicas have the same name.
 * @throws RangeError if `maxLag`, `maxOutage` or `fallbackReads` is not a whole number in its range.
 */
export function watchPostgresReplicas(options: PostgresReplicasOptions): PostgresReplicas {
  assertShapes(options);
  const { maxLag = 2_000, maxOutage = 60_000, fallbackReads = 5, ...servers } = options;
  assertWhole('maxLag', maxLag, { from: 250, to: 3_600_000, what: 'whole milliseconds' });
  assertWhole('maxOutage', maxOutage, { from: 0, to: 3_600_000, what: 'whole milliseconds' });
  assertWhole('fallbackReads', fallbackReads, { from: 0, to: 999_999, what: 'a whole number' });
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
  assertOptions(purpose, options, { ...poolAt('primary'), replicas: 'array', 'onChange?': 'function' }, advice);
  const { replicas } = options;
  for (const index of replicas.keys()) {
    const path = `replicas.${index}`;
    assertOptions(purpose, options, { [`${path}.name`]: 'string', ...poolAt(`${path}.pool`) }, advice);
  }
  if (replicas.length === 0) throw new TypeError(`Failed to ${purpose}: replicas is empty. ${advice}.`);
  const repeated = replicas.find(({ name }, index) => replicas.findIndex((each) => each.name === name) < index);
  if (repeated === undefined) return;
  throw new TypeError(`Failed to ${purpose}: two replicas are named ${repeated.name}. Give each one its own name.`);
}

interface Range {
  from: number;
  to: number;
  what: string;
}

function assertWhole(name: string, value: number, { from, to, what }: Range): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  throw new RangeError(`Failed to ${purpose}: ${name} is ${value}. Pass ${what} from ${from} to ${to}.`);
}
