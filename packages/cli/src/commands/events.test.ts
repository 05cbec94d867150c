import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeliveryError, type Mirror, openMirror } from '@memory-read/mirror';
import { expect, test } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount, summary, transcript } from '../testing/serve-account.ts';

async function mirrored(clock?: { now(): Date }) {
  const account = await serveAccount({ transcript, summary }, { id: 'mem_2', name: 'Evening' });
  const cwd = temporaryDirectory();
  const change = async <Result>(work: (mirror: Mirror) => Promise<Result>) => {
    const mirror = await openMirror({ folder: join(cwd, 'memories'), clock });
    try {
      return await work(mirror);
    } finally {
      await mirror.close();
    }
  };
  await change((mirror) => mirror.sync(account.client, { media: [] }));
  const run = (...args: string[]) => runCli(['events', ...args], { cwd });
  return {
    account,
    cwd,
    change,
    run,
    lines: async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stderr]).toEqual([0, '']);
      return jsonLines(stdout);
    },
    show: (...args: string[]) => {
      const size = { rows: 999, columns: 80 };
      return runCli(['events', ...args], { cwd, terminal: { stdout: size, stderr: size } });
    },
    fail: (sink: string, action: 'retry' | 'park' | 'stop') =>
      change((mirror) =>
        mirror.deliver(sink, () => {
          throw new DeliveryError('https://n8n.example.com answered 410', { action });
        }),
      ),
    deliver: (sink: string) => change((mirror) => mirror.deliver(sink, () => {})),
  };
}

const key = ({ id }: Record<string, unknown>) => id;

test('lists the events, after one of them, of types and with a payload', async () => {
  const { account, change, lines, show } = await mirrored();
  const all = await lines('list');
  expect(all.length).toBeGreaterThanOrEqual(2);
  expect(all[0]).toMatchObject({ id: expect.stringMatching(/^evt_/), type: 'memory.added', data: { fields: [] } });
  expect(all[0]).not.toHaveProperty('data.memory.transcript');
  expect((await lines('list', '--limit', '1')).map(key)).toEqual([all[0]?.id]);
  const after = await lines('list', '--after', String(all[0]?.id));
  expect(after.map(key)).toEqual(all.slice(1).map(key));
  expect(await lines('list', '--after', String(all.at(-1)?.id))).toEqual([]);
  await account.remove('mem_2');
  await change(async (mirror) => mirror.sync(account.client, { media: [] }));
  const missing = await lines('list', '--type', 'missing');
  expect(missing).toMatchObject([{ type: 'memory.missing', data: { memory_id: 'mem_2', fields: [] } }]);
  expect(await lines('list', '--type', 'memory.missing')).toEqual(missing);
  const [reference] = await lines('list', '--payload', 'reference', '--limit', '1');
  expect(reference).not.toHaveProperty('data.memory');
  const long = await lines('list', '--payload', 'transcript');
  expect(JSON.stringify(long)).toContain('Shall we start?');
  expect((await show('list', '--type', 'missing')).stdout).toContain(`${missing[0]?.id}  missing  mem_2\n`);
});

test('reads all pages of a long log', async () => {
  const { account, change, lines } = await mirrored();
  await account.put(...Array.from({ length: 230 }, (_, index) => ({ id: `mem_n${index}` })));
  await change((mirror) => mirror.sync(account.client, { media: [] }));
  const added = await lines('list', '--type', 'added', '--payload', 'reference');
  expect(new Set(added.map(key)).size).toBe(232);
  expect(await lines('list', '--type', 'added', '--payload', 'reference', '--limit', '150')).toEqual(
    added.slice(0, 150),
  );
});

test('lists sinks and what they have set aside, and replays parked events', async () => {
  const { lines, show, run, fail, deliver } = await mirrored();
  expect(await run('sinks')).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('There are no sinks yet.'),
  });
  await deliver('good');
  await fail('hook', 'park');
  const [good, hook] = await lines('sinks');
  expect(good).toMatchObject({ sink: 'good', pending: 0, parked: 0, oldestPending: null, stopped: null });
  expect(hook).toMatchObject({ sink: 'hook', delivered: 0, parked: 4, lastDelivered: null });
  const [parked, ...others] = await lines('list', '--sink', 'hook', '--state', 'parked');
  expect(others).toHaveLength(3);
  expect(parked).toMatchObject({ state: 'parked', attempts: 1, error: 'https://n8n.example.com answered 410' });
  expect((await run('list', '--sink', 'hook', '--state', 'retrying')).stdout).toBe('');
  const table = await show('sinks');
  expect(table.stdout).toMatch(
    /^SINK {2}DELIVERED {2}PENDING {2}RETRYING {2}PARKED {2}OLDEST PENDING +LAST DELIVERY\n/,
  );
  for (const line of table.stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect((await show('list', '--sink', 'hook')).stdout.replaceAll('\n', '  ')).toContain(
    `${parked?.eventId}  added  ${parked?.memoryId}  parked, 1 try  https://n8n.example.com answered 410.`,
  );
  const replayed = { event: 'replayed', sink: 'hook', events: 1 };
  expect(await lines('replay', '--sink', 'hook', '--parked')).toEqual([{ ...replayed, events: 4 }]);
  expect(await lines('replay', '--sink', 'hook', '--parked')).toEqual([{ ...replayed, events: 0 }]);
  const [first] = await lines('list', '--limit', '1');
  expect(await lines('replay', String(first?.id), '--sink', 'good')).toEqual([{ ...replayed, sink: 'good' }]);
  expect((await show('replay', String(first?.id), '--sink', 'good')).stdout).toBe(
    '1 event of the sink good is due again.\n',
  );
});

test('a sink that delivers old events is not stalled, until it delivers none for longer', async () => {
  const clock = { time: Date.now() - 3_600_000, now: () => new Date(clock.time) };
  const { change, run } = await mirrored(clock);
  const deliverOne = () => change((mirror) => mirror.deliver('hook', () => {}, { limit: 1 }));
  await deliverOne();
  expect(await run('sinks', '--stalled', '15m')).toMatchObject({ code: 1 });
  clock.time = Date.now();
  await deliverOne();
  expect(await run('sinks', '--stalled', '15m')).toMatchObject({ code: 0, stderr: '' });
});

test('names stopped and stalled sinks with --stalled, and resumes and removes one', async () => {
  const { lines, run, show, fail, deliver } = await mirrored({ now: () => new Date(Date.now() - 3_600_000) });
  await deliver('good');
  await fail('gone', 'stop');
  await fail('slow', 'retry');
  const { code, stdout, stderr } = await run('sinks', '--stalled', '15m');
  expect([code, jsonLines(stdout).length]).toEqual([1, 3]);
  expect(stderr).toMatch(
    /^Failed to deliver events: the sink gone is stopped, the oldest pending event of the sink slow is of [\d-]+ [\d:]+\. See/,
  );
  expect(await run('sinks', '--stalled', '2h')).toMatchObject({ code: 1, stderr: expect.not.stringContaining('slow') });
  expect((await show('sinks')).stdout).toContain('gone: https://n8n.example.com answered 410.\n');
  expect(await lines('resume', 'gone')).toEqual([{ event: 'resumed', sink: 'gone' }]);
  expect((await run('sinks', '--stalled', '2h')).code).toBe(0);
  expect(await lines('remove', 'gone')).toEqual([{ event: 'removed', sink: 'gone' }]);
  expect((await lines('sinks')).map(({ sink }) => sink)).toEqual(['good', 'slow']);
});

test('removes no sink that another process delivers to, and replays and resumes it', async () => {
  const { run, lines, deliver, cwd } = await mirrored();
  await deliver('hook');
  const lock = new DatabaseSync(join(cwd, 'memories', 'sink-hook.lock'));
  lock.exec('BEGIN EXCLUSIVE');
  const busy = 'another process is delivering to the sink hook. End its memory-read watch, then run the command again.';
  await expectFailure(run('remove', 'hook'), 1, `Failed to use "memories": ${busy}\n`);
  const [first] = await lines('list', '--limit', '1');
  expect(await lines('replay', String(first?.id), '--sink', 'hook')).toMatchObject([{ events: 1 }]);
  expect(await lines('resume', 'hook')).toMatchObject([{ event: 'resumed' }]);
  lock.close();
  expect(await lines('remove', 'hook')).toMatchObject([{ event: 'removed' }]);
});

test('unknown sinks and events end with 4, an event of another mirror after --after with 2', async () => {
  const { run, deliver } = await mirrored();
  await deliver('good');
  for (const args of [
    ['list', '--sink', 'none'],
    ['replay', '--sink', 'none', '--parked'],
    ['resume', 'none'],
    ['remove', 'none'],
  ])
    await expectFailure(run(...args), 4, /^Failed to .*"?none"?.*memory-read events sinks\.\n$/);
  await expectFailure(run('replay', 'evt_none', '--sink', 'good'), 4, /^Failed to replay the events: /);
  await expectFailure(run('list', '--after', 'evt_none'), 2, /^Failed to /);
  await expectFailure(run('resume', 'Not A Name'), 2, /^Failed to resume the sink: /);
});
