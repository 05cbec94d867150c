import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, memoryCount, type Replicas, startReplica, startReplicas } from './postgres-service.ts';

const parallel = 6;
let service: Replicas;

beforeAll(async () => {
  service = await startReplicas(3);
  return service.close;
});

test('if one of three replicas is killed under load, the others continue, and no response is incomplete', async () => {
  const loads = service.replicas.map((replica) => startLoad(parallel, alternating(replica)));
  const [killedLoad, ...otherLoads] = loads;
  const killed = service.replicas[0];
  if (!killed || !killedLoad) throw new Error('There is no replica to kill.');
  await Promise.all(loads.map((load) => load.ended(60)));
  const ended = once(killed.child, 'exit');
  const before = killedLoad.outcomes.length;
  // A running replica could respond to every request before the SIGKILL arrives. A stopped one cannot.
  killed.child.kill('SIGSTOP');
  await Promise.all(otherLoads.map((load) => load.ended(100)));
  const stopping = killedLoad.stop();
  killed.child.kill('SIGKILL');
  await ended;
  await Promise.all(otherLoads.map((load) => load.ended(100)));
  await Promise.all([stopping, ...otherLoads.map((load) => load.stop())]);

  expect(statuses(killedLoad.outcomes.slice(0, before))).toEqual(['200']);
  expect(statuses(killedLoad.outcomes)).toEqual(['200', 'broken']);
  const broken = killedLoad.outcomes.filter((outcome) => outcome === 'broken');
  expect(broken.length, 'only what was in flight').toBeLessThanOrEqual(parallel);
  for (const load of otherLoads) expect(statuses(load.outcomes)).toEqual(['200']);
  for (const outcome of loads.flatMap((load) => load.outcomes)) assertTrue(outcome);
});

test('a replica that is started after the kill responds like the others', async () => {
  const successor = await startReplica(service.postgres.url, tmpdir());
  service.replicas.push(successor);
  const answers = await Promise.all(
    service.replicas.slice(1).map(async (replica) => {
      const memories = await (await askReplica(replica, service.key, '/v1/memories')).json();
      return memories.map(({ id }: { id: string }) => id);
    }),
  );
  expect(answers[0]).toHaveLength(memoryCount);
  expect(answers).toEqual(answers.map(() => answers[0]));
});

function alternating(replica: ServeProcess): () => Promise<Response> {
  let turn = 0;
  return () => {
    turn += 1;
    return askReplica(replica, service.key, turn % 2 === 0 ? '/v1/memories' : '/v1/memories/mem_000001');
  };
}
