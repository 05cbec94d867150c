import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { DeliveryError, type Mirror } from '../index.ts';
import { nameOf, openDeliveries, type TestDeliveries } from '../testing/open-deliveries.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { changeDatabase, readRow } from '../testing/own-database.ts';
import { deliverEvents } from './deliver-events.ts';
import { readDeliverOptions } from './read-deliver-options.ts';

const second = 1_000;
const day = 86_400_000;
let it: TestDeliveries;
let start: number;
let tried: string[];
/** Events that fail, and how. */
let failing: Map<string, unknown>;

beforeEach(async () => {
  it = await openDeliveries();
  start = it.clock.time;
  tried = [];
  failing = new Map();
  it.answer = (event) => {
    tried.push(nameOf(event));
    if (failing.has(nameOf(event))) throw failing.get(nameOf(event));
  };
});

const at = (milliseconds: number) => new Date(start + milliseconds);
const add = async (...ids: string[]) => {
  for (const id of ids) await it.sync([id, `Words of ${id}.`]);
};
const fail = (id: string, error: unknown = new Error('No.')) => failing.set(`${id} added`, error);
const idOf = async (memoryId: string) =>
  (await it.mirror.events()).events.find(({ data }) => data.memory_id === memoryId)?.id ?? '';
const stateOf = async () => (await it.mirror.listSinks())[0];
const nextTries = async () => (await it.mirror.listDeliveries('default')).map(({ nextTry }) => nextTry);

/** The second try of mem_1 counts, because mem_2 was accepted. It has a pause of 2 s, and the sink one of 1 s. */
async function failAlone(): Promise<void> {
  await add('mem_1', 'mem_2');
  fail('mem_1');
  await it.deliver();
  it.clock.time += second;
  expect(await it.deliver()).toMatchObject({ delivered: 1, failed: 1, nextTry: at(3 * second) });
  it.clock.time += second;
  tried = [];
}

test('an event that failed in one sink holds nothing back in another', async () => {
  await add('mem_1');
  fail('mem_1');
  await it.deliver({}, 'a');
  failing.clear();
  await it.deliver({}, 'b');
  await it.sync(['mem_1', 'New.']);
  failing.set('mem_1 changed', new Error('No.'));
  await it.deliver({}, 'b');
  failing.clear();
  it.clock.time += second;
  expect(await it.deliver({}, 'b')).toMatchObject({ delivered: 1, pending: 0 });
});

test('in trouble the event with the fewest tries goes first, then the oldest', async () => {
  await add('mem_1', 'mem_2', 'mem_3');
  for (const id of ['mem_1', 'mem_2', 'mem_3']) fail(id);
  for (let tries = 0; tries < 9; tries += 1) it.clock.time = (await it.deliver()).nextTry?.getTime() ?? 0;
  const round = ['mem_1 added', 'mem_2 added', 'mem_3 added'];
  expect(tried).toEqual([...round, ...round, ...round]);
});

test('the progress of a failed try has the time at which sink and event are due', async () => {
  await add('mem_1', 'mem_2');
  for (const id of ['mem_1', 'mem_2']) fail(id);
  const times: unknown[] = [];
  const onDelivery = ({ retryAt }: { retryAt?: Date }) => times.push(retryAt);
  // The pause of the sink is at most a fifth of the longest one: 800 ms.
  for (const time of [0, 800]) {
    it.clock.time = start + time;
    await it.deliver({ firstRetry: 500, longestRetry: 4_000, onDelivery });
  }
  it.clock.time = start + 1_600;
  await it.deliver({ firstRetry: 500, longestRetry: 4_000, onDelivery });
  expect(times).toEqual([at(500), at(1_600), at(2_600)]);
});

test('an accepted try ends the pauses of what failed with the sink, and not that of an event at fault', async () => {
  await failAlone();
  await add('mem_3');
  expect(await it.deliver()).toMatchObject({ delivered: 1, failed: 0, pending: 1, nextTry: at(3 * second) });
  fail('mem_4');
  await add('mem_4');
  await it.deliver();
  failing.delete('mem_4 added');
  await add('mem_5');
  tried = [];
  it.clock.time = start + 3 * second - 1;
  expect(await it.deliver()).toMatchObject({ delivered: 0 });
  it.clock.time += 1;
  await it.deliver();
  expect(tried).toEqual(['mem_5 added', 'mem_1 added']);
  it.clock.time += second;
  await it.deliver();
  expect(tried.slice(2)).toEqual(['mem_4 added']);
});

test('an event that its receiver parks does not delay the next ones', async () => {
  await add('mem_1', 'mem_2', 'mem_3', 'mem_4');
  for (const id of ['mem_1', 'mem_2', 'mem_3']) fail(id, new DeliveryError('Never.', { action: 'park' }));
  expect(await it.deliver()).toMatchObject({ delivered: 1, failed: 3, parked: 3, pending: 0 });
  expect(await stateOf()).toMatchObject({ failures: 0, parked: 3, nextTry: null });
});

test('after an accepted try an event that failed with the sink does not wait for its own pause', async () => {
  await add('mem_1', 'mem_2');
  fail('mem_1');
  const options = { longestRetry: 4 * second };
  expect(await it.deliver(options)).toMatchObject({ failed: 1, nextTry: at(800) });
  failing.clear();
  it.clock.time += 800;
  expect(await it.deliver(options)).toMatchObject({ delivered: 2, pending: 0 });
});

test('without trouble what failed goes before the log', async () => {
  await failAlone();
  await add('mem_3');
  await it.deliver();
  await add('mem_4');
  failing.clear();
  it.clock.time += second;
  await it.deliver();
  expect(tried).toEqual(['mem_3 added', 'mem_1 added', 'mem_4 added']);
});

test('in trouble a replayed event goes before the log', async () => {
  await add('mem_1', 'mem_2', 'mem_3');
  fail('mem_2');
  await it.deliver();
  failing.clear();
  await it.mirror.replay('default', [await idOf('mem_1')]);
  expect(await nextTries()).toEqual([at(second), at(second)]);
  it.clock.time += second;
  await it.deliver();
  expect(it.accepted).toEqual(['mem_1 added', 'mem_1 added', 'mem_2 added', 'mem_3 added']);
});

test('a sink that is resumed is due at once, with all its events', async () => {
  await failAlone();
  await add('mem_3');
  fail('mem_3', new DeliveryError('Gone.', { action: 'stop' }));
  expect(await it.deliver()).toMatchObject({ failed: 1, pending: 2, nextTry: null, stopped: 'Gone.' });
  expect(await nextTries()).toEqual([null, null]);
  await it.mirror.resumeSink('default');
  failing.clear();
  expect(await it.deliver()).toMatchObject({ delivered: 2, pending: 0, stopped: null });
});

test('the next try of a sink is now while its log has more, and its oldest event can be one that failed', async () => {
  await failAlone();
  await add('mem_3', 'mem_4');
  expect(await it.deliver({ limit: 1 })).toMatchObject({ delivered: 1, pending: 2, nextTry: at(2 * second) });
  expect(await stateOf()).toMatchObject({ oldestPending: at(0), retrying: 1, lastDelivered: at(2 * second) });
});

test('a list of deliveries gives no time before now', async () => {
  await failAlone();
  expect(await nextTries()).toEqual([at(3 * second)]);
  it.clock.time += day;
  expect(await nextTries()).toEqual([at(2 * second + day)]);
  it.clock.time = start - 2 * day;
  expect(await nextTries()).toEqual([at(-2 * day)]);
});

test('an event is sent again after a replay, also if its sink was never in trouble', async () => {
  await add('mem_1');
  await it.deliver();
  await it.mirror.replay('default', [await idOf('mem_1')]);
  expect(await nextTries()).toEqual([at(0)]);
  expect((await stateOf())?.nextTry).toEqual(at(0));
  expect(await it.deliver()).toMatchObject({ delivered: 1, pending: 0 });
});

test.each([
  ['a long message', new DeliveryError('x'.repeat(301)), `${'x'.repeat(299)}…`],
  ['another class', Object.assign(new Error('Other.'), { action: 'park', retryAfter: day }), 'Other.'],
  ['a text', 'Text.', 'Text.'],
  ['undefined', undefined, 'undefined'],
  ['an empty message', new Error(''), 'The error has no message.'],
])('an error with %s is a failed try', async (_name, error, text) => {
  await add('mem_1');
  failing.set('mem_1 added', error);
  expect(await it.deliver()).toMatchObject({ failed: 1, parked: 0, nextTry: at(second) });
  expect((await stateOf())?.error).toBe(text);
});

test('a sink that is removed leaves no row', async () => {
  await add('mem_1');
  fail('mem_1');
  await it.deliver();
  await it.mirror.removeSink('default');
  expect(readRow(it.folder, 'SELECT count(*) AS rows FROM deliveries')).toEqual({ rows: 0 });
});

test('a row whose event is lost is removed', async () => {
  await add('mem_1');
  fail('mem_1');
  await it.deliver();
  changeDatabase(it.folder, 'DELETE FROM events');
  it.clock.time += second;
  expect(await it.deliver()).toMatchObject({ failed: 0, pending: 0 });
});

test('no timer is left after an abort', async () => {
  await add('mem_1');
  const controller = new AbortController();
  const reason = new TypeError('Stopped.');
  it.answer = () => controller.abort(reason);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await expect(it.deliver({ signal: controller.signal })).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('another process waits as long as the receiver asked', async () => {
  await add('mem_1');
  fail('mem_1', new DeliveryError('Later.', { action: 'unavailable', retryAfter: 600 * second }));
  await it.deliver();
  await it.mirror.close();
  const clock = { now: () => new Date(it.clock.time) };
  const other = await openForTest({ folder: it.folder, clock });
  it.clock.time += 600 * second - 1;
  expect(await other.deliver('default', () => {})).toMatchObject({ delivered: 0, nextTry: at(600 * second) });
  it.clock.time += 1;
  expect(await other.deliver('default', () => {}, { limit: 1 })).toMatchObject({ delivered: 1 });
});

test('a replay accepts only ids of this mirror', async () => {
  await add('mem_1', 'mem_2');
  await it.deliver();
  const [id, purged] = [await idOf('mem_1'), await idOf('mem_2')];
  await it.mirror.purge('mem_2');
  for (const other of [purged, `${id}0`, id.replace(/.$/, 'x'), id.replace('_2_', '_4_'), 'evt_', 'Words of mem_1.']) {
    const replay = it.mirror.replay('default', [id, other]);
    await expect(replay).rejects.toMatchObject({ code: 'not_found', message: expect.not.stringContaining('Words') });
  }
  for (const ids of ['evt_2', [2], [undefined], null])
    await expect(it.mirror.replay('default', ids as never)).rejects.toMatchObject({ code: 'invalid_option' });
  expect(await it.mirror.listDeliveries('default')).toEqual([]);
});

test.each(['waiting', null, 1])('%j is not a state of deliveries', async (state) => {
  await expect(it.mirror.listDeliveries('default', { state } as never)).rejects.toMatchObject({
    code: 'invalid_option',
  });
});

test('a backup that is put back sends again what followed it, and new events with new ids', async () => {
  const sent: string[] = [];
  const deliver = (mirror: Mirror) =>
    mirror.deliver('default', ({ id }) => void sent.push(id), { types: ['memory.added'] });
  await add('mem_1');
  await deliver(it.mirror);
  await add('mem_2');
  const folder = makeFolder();
  await it.mirror.backup(join(folder, 'mirror.sqlite'));
  await add('mem_3');
  await deliver(it.mirror);
  const [, two, three] = sent.splice(0);

  const restored = await openDeliveries({ folder });
  restored.clock.time += 60 * second;
  await deliver(restored.mirror);
  expect(sent.splice(0)).toEqual([two]);
  await expect(restored.mirror.replay('default', [three ?? ''])).rejects.toMatchObject({ code: 'not_found' });
  await restored.sync(['mem_3', 'Words of mem_3.']);
  await deliver(restored.mirror);
  expect(sent).toHaveLength(1);
  expect(sent).not.toEqual([three]);
});

test('a call with nothing due reads a few rows of 100,000 events', async () => {
  await add('mem_1');
  changeDatabase(
    it.folder,
    `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO events (memory_key, version, type, at, fields, ends_processing, checksum)
        SELECT 1, i, 'changed', i, '[]', 0, 0 FROM n`,
  );
  const database = openDatabase(it.folder, { readOnly: false });
  onTestFinished(() => database.close());
  const settings = { ...readDeliverOptions('test', () => {}, { from: 'now' }), now: () => it.clock.time };
  const deliver = () => deliverEvents(database, { sinkName: 'default', send: () => {} }, settings);
  await deliver();
  const statements: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  expect(await deliver()).toMatchObject({ delivered: 0, pending: 0 });
  expect(statements.length).toBeLessThan(12);
  const plans = statements.flatMap((sql) =>
    prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
  expect(plans.filter((detail) => /^SCAN (?!sqlite_sequence)/.test(String(detail)))).toEqual([]);
});
