import { expect, inject, onTestFinished, test } from 'vitest';
import { openStore, startCluster } from './start-cluster.ts';

test('the checks see which server streams from the primary, and whether the user may see it', async () => {
  const { primary, replicas, stop } = await startCluster();
  onTestFinished(stop);
  const [standby] = replicas;
  await primary.query('CREATE ROLE reader LOGIN');
  const asReader = standby.url.replace('postgres@', 'reader@');
  const urls = [standby.url, primary.url, inject('postgresUrl'), asReader];
  const { untilStates } = await openStore({ primary: primary.url, replicas: urls });
  await untilStates('used', 'no-replica', 'other-cluster', 'not-permitted');

  await primary.query('GRANT pg_read_all_stats TO reader');
  await untilStates('used', 'no-replica', 'other-cluster', 'used');
});

test('a promotion counts at once, for the promoted server and for one that follows the old primary', async () => {
  const { primary, replicas, stop } = await startCluster();
  onTestFinished(stop);
  const [next, left] = replicas;
  const before = await openStore({ primary: primary.url, replicas: [next.url, left.url] });
  await before.untilStates('used', 'used');
  await next.query('SELECT pg_promote()');
  await before.untilStates('no-replica', 'used');

  const after = await openStore({ primary: next.url, replicas: [left.url] });
  expect(await after.replicas.checked).toMatchObject([{ state: 'other-timeline' }]);
  await left.follow(next);
  await after.untilStates('used');
});
