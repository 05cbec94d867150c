import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { DeliveryError, type DeliveryProgress, type MemoryEvent, openMirror } from '../index.ts';
import { nameOf, openDeliveries, type TestDeliveries } from '../testing/open-deliveries.ts';
import { filesWith, readFolder } from '../testing/read-folder.ts';
import { deliverEvents } from './deliver-events.ts';
import { readDeliverOptions } from './read-deliver-options.ts';

let it: TestDeliveries;
beforeEach(async () => {
  it = await openDeliveries();
});

const second = 1_000;
const day = 86_400_000;
const nothing = { delivered: 0, failed: 0, parked: 0, pending: 0, nextTry: null, stopped: null };
const three = () => it.sync(['mem_1', 'One.'], ['mem_2', 'Two.'], ['mem_3', 'Three.']);
const inTime = (milliseconds: number) => new Date(it.clock.time + milliseconds);
/** Makes all tries fail, or those of one event. */
const failWith = (error: unknown, only?: string) => {
  it.answer = (event) => {
    if (only === undefined || nameOf(event) === only) throw error;
  };
};
const recover = () => {
  it.answer = () => {};
};
/** The events of all types count, because a sink does not store its types. */
const stateOf = async () => (await it.mirror.listSinks())[0];

test('delivers the events oldest first, each once, and then nothing', async () => {
  await three();
  await it.sync(['mem_2', 'New.']);
  expect(await it.deliver()).toEqual({ ...nothing, delivered: 4 });
  expect(it.accepted.toSorted()).toEqual(['mem_1 added', 'mem_2 added', 'mem_2 changed', 'mem_3 added']);
  expect(it.accepted[3]).toBe('mem_2 changed');
  expect(await it.deliver()).toEqual(nothing);
});

test('changes no byte of the folder if nothing is due', async () => {
  await three();
  await it.deliver({ types: ['memory.added'] });
  const before = readFolder(it.folder);
  expect(await it.deliver({ types: ['memory.added'] })).toEqual(nothing);
  expect(readFolder(it.folder)).toEqual(before);
});

test('a failed try pauses the sink, then the others go first, and what failed with the sink follows at once', async () => {
  await three();
  failWith(new Error('No.'));
  expect(await it.deliver()).toEqual({ ...nothing, failed: 1, pending: 3, nextTry: inTime(second) });
  expect(await it.deliver()).toEqual({ ...nothing, pending: 3, nextTry: inTime(second) });
  it.clock.time += second;
  expect(await it.deliver()).toMatchObject({ failed: 1, pending: 3, nextTry: inTime(2 * second) });
  recover();
  it.clock.time += 2 * second;
  expect(await it.deliver()).toEqual({ ...nothing, delivered: 3 });
  expect(new Set(it.accepted).size).toBe(3);
});

test('later events of a memory wait for an earlier one, and others do not', async () => {
  await it.sync(['mem_1', 'One.']);
  await it.sync(['mem_1', 'New.']);
  await it.sync(['mem_2', 'Two.']);
  failWith(new Error('No.'), 'mem_1 added');
  await it.deliver();
  it.clock.time += second;
  expect(await it.deliver()).toMatchObject({ delivered: 1, failed: 1, pending: 2 });
  expect(it.accepted).toEqual(['mem_2 added']);
  expect(await it.mirror.listDeliveries('default')).toMatchObject([
    { type: 'memory.added', memoryId: 'mem_1', state: 'retrying', attempts: 2, error: 'No.', failedAt: inTime(0) },
    { type: 'memory.changed', attempts: 0, error: null, failedAt: null, nextTry: null },
  ]);
  recover();
  it.clock.time += day;
  await it.deliver();
  expect(it.accepted).toEqual(['mem_2 added', 'mem_1 added', 'mem_1 changed']);
});

test.each(['retry', 'unavailable'] as const)(
  'a receiver that fails all tries with %s parks nothing',
  async (action) => {
    await three();
    failWith(new DeliveryError('Down.', { action }));
    for (let tries = 0; tries < 100; tries += 1) {
      expect(await it.deliver({ maxTries: 1 })).toMatchObject({ parked: 0, pending: 3 });
      it.clock.time += 300 * second;
    }
    expect(await stateOf()).toMatchObject({ pending: 3, retrying: 3, parked: 0, failures: 100, error: 'Down.' });
  },
);

test.each(['retry', 'unavailable'] as const)('an event that fails alone with %s is parked', async (action) => {
  failWith(new DeliveryError('Bad.', { action }), 'mem_1 added');
  await it.sync(['mem_1', 'One.']);
  await it.deliver({ maxTries: 2 });
  const parked: DeliveryProgress[] = [];
  const onDelivery = (progress: DeliveryProgress) => progress.type === 'parked' && parked.push(progress);
  for (let round = 0; round < 4; round += 1) {
    await it.sync([`mem_${round + 2}`, 'Other.']);
    it.clock.time += 300 * second;
    await it.deliver({ maxTries: 2, onDelivery });
  }
  it.clock.time += 300 * second;
  expect(await it.deliver({ maxTries: 2, onDelivery })).toMatchObject({ pending: 0, nextTry: null });
  expect(parked).toMatchObject([{ error: 'Bad.', event: { data: { memory_id: 'mem_1' } } }]);
  expect(it.accepted).toHaveLength(4);
  await it.sync(['mem_1', 'New.']);
  await it.deliver();
  expect(it.accepted.at(-1)).toBe('mem_1 changed');
});

test('an event that the receiver will never accept is parked at once, and a replay sends it again with its id', async () => {
  await it.sync(['mem_1', 'One.']);
  const ids: string[] = [];
  it.answer = (event, { attempt }) => {
    ids.push(`${event.id} ${attempt}`);
    if (ids.length === 1) throw new DeliveryError('Never.', { action: 'park' });
  };
  expect(await it.deliver()).toEqual({ ...nothing, failed: 1, parked: 1 });
  const parked = await it.mirror.listDeliveries('default', { state: 'parked' });
  expect(parked).toMatchObject([{ state: 'parked', attempts: 1, nextTry: null, error: 'Never.' }]);
  expect(await it.mirror.listDeliveries('default', { state: 'retrying' })).toEqual([]);
  const [{ eventId } = { eventId: '' }] = parked;
  expect(await it.mirror.replay('default', [eventId, eventId])).toBe(1);
  it.clock.time += second;
  expect(await it.deliver()).toEqual({ ...nothing, delivered: 1 });
  expect(ids).toEqual([`${eventId} 1`, `${eventId} 1`]);
});

test('a stop lasts until the sink is resumed', async () => {
  await three();
  failWith(new DeliveryError('Gone.', { action: 'stop' }));
  expect(await it.deliver()).toEqual({ ...nothing, failed: 1, pending: 3, stopped: 'Gone.' });
  recover();
  it.clock.time += day;
  expect(await it.deliver()).toEqual({ ...nothing, pending: 3, stopped: 'Gone.' });
  expect(await stateOf()).toMatchObject({ stopped: 'Gone.', error: 'Gone.', nextTry: null });
  expect(await it.mirror.resumeSink('other')).toBe(false);
  expect(await it.mirror.resumeSink('default')).toBe(true);
  expect(await it.deliver()).toEqual({ ...nothing, delivered: 3 });
});

test.each([
  [60 * second, 60 * second],
  [10 * day, day],
  [0, second],
  [Number.NaN, second],
])('a receiver that asks to wait %d ms is tried after %d ms', async (retryAfter, pause) => {
  await it.sync(['mem_1', 'One.']);
  failWith(new DeliveryError('Later.', { action: 'unavailable', retryAfter }));
  expect((await it.deliver()).nextTry).toEqual(inTime(pause));
  recover();
  it.clock.time += pause - 1;
  expect(await it.deliver()).toMatchObject({ delivered: 0, pending: 1 });
  it.clock.time += 1;
  expect(await it.deliver()).toMatchObject({ delivered: 1 });
});

test('a clock that was set back keeps nothing waiting', async () => {
  await it.sync(['mem_1', 'One.']);
  failWith(new Error('No.'));
  await it.deliver();
  recover();
  it.clock.time -= 2 * day;
  expect(await it.deliver()).toMatchObject({ delivered: 1 });
});

describe('an abort', () => {
  const reason = new TypeError('Stopped.');

  test('before the first try sends nothing', async () => {
    await three();
    await expect(it.deliver({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(it.accepted).toEqual([]);
  });

  test('while the log is read sends nothing', async () => {
    await three();
    const controller = new AbortController();
    const database = openDatabase(it.folder, { readOnly: false });
    onTestFinished(() => database.close());
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      if (/FROM events/.test(sql)) controller.abort(reason);
      return prepare(sql);
    };
    const sent: string[] = [];
    const send = (event: MemoryEvent) => sent.push(nameOf(event));
    const settings = readDeliverOptions('test', send, { signal: controller.signal });
    const delivering = deliverEvents(database, { sinkName: 'other', send }, { ...settings, now: () => it.clock.time });
    await expect(delivering).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  test('stores the response to the event in flight', async () => {
    await three();
    const controller = new AbortController();
    it.answer = () => controller.abort(reason);
    await expect(it.deliver({ signal: controller.signal })).rejects.toBe(reason);
    expect(await stateOf()).toMatchObject({ delivered: 1, pending: 5 });
  });

  test('gives the event in flight 10 seconds, and then stores nothing', async () => {
    await three();
    const controller = new AbortController();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let signal: AbortSignal | undefined;
    const started = new Promise<void>((resolve) => {
      it.answer = (_event, context) => {
        signal = context.signal;
        resolve();
        return new Promise(() => {});
      };
    });
    const delivering = it.deliver({ signal: controller.signal });
    await started;
    controller.abort(reason);
    vi.advanceTimersByTime(9_999);
    expect(signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal?.aborted).toBe(true);
    await expect(delivering).rejects.toBe(reason);
    expect(await stateOf()).toMatchObject({ delivered: 0, failures: 0, pending: 6, retrying: 0 });
  });
});

test('a purge during a try leaves no row', async () => {
  await it.sync(['mem_1', 'One.'], ['mem_2', 'Two.']);
  it.answer = async (event) => {
    if (event.data.memory_id !== 'mem_1') return;
    await it.mirror.purge('mem_1');
    throw new Error('Words of the purged one.');
  };
  await it.deliver();
  it.clock.time += second;
  await it.deliver();
  expect(await it.mirror.listDeliveries('default')).toEqual([]);
  expect(await stateOf()).toMatchObject({ pending: 0, delivered: 1 });
  expect(filesWith(it.folder, 'Words of the purged one.')).toEqual([]);
});

test('a purge removes the error texts of its memory', async () => {
  await it.sync(['mem_1', 'One.']);
  failWith(new DeliveryError('Secret reason.', { action: 'stop' }));
  await it.deliver();
  await it.mirror.purge('mem_1');
  expect(filesWith(it.folder, 'Secret reason.')).toEqual([]);
  expect((await stateOf())?.stopped).toBe('The reason is not stored any more.');
});

test.each([
  () => {
    throw new Error('Mine.');
  },
  () => Promise.reject(new Error('Mine.')),
])('a function onDelivery that throws or rejects ends nothing', async (onDelivery) => {
  await three();
  expect(await it.deliver({ onDelivery })).toEqual({ ...nothing, delivered: 3 });
});

const throwing = (): never => {
  throw new Error('Theirs.');
};
test.each<[string, unknown]>([
  ['an object without a prototype', Object.create(null)],
  ['an error whose message is no text', Object.assign(new Error('x'), { message: Object.create(null) })],
  ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: throwing })],
  ['an object that cannot become a text', { toString: throwing }],
  ['a proxy that throws', new Proxy({}, { get: throwing, getPrototypeOf: throwing })],
  ['a DeliveryError with a pause that is no number', new DeliveryError('', { retryAfter: Symbol('s') as never })],
])('%s is a failed try, and the others are delivered', async (_title, thrown) => {
  await three();
  failWith(thrown, 'mem_1 added');
  await it.deliver();
  it.clock.time += second;
  await it.deliver();
  expect(await stateOf()).toMatchObject({ delivered: 2, retrying: 1, error: 'The error has no message.' });
});

test('a receiver that begins to refuse all events parks none, also not one that it refused before', async () => {
  await it.sync(['mem_1', 'One.']);
  failWith(new Error('Busy.'), 'mem_1 added');
  await it.deliver();
  await it.sync(['mem_2', 'Two.']);
  it.clock.time += second;
  expect(await it.deliver()).toMatchObject({ delivered: 1 });
  await it.sync(['mem_3', 'Three.']);
  failWith(new Error('404'));
  for (let tries = 0; tries < 100; tries += 1) {
    it.clock.time += 300 * second;
    expect(await it.deliver({ maxTries: 3 })).toMatchObject({ parked: 0 });
  }
  expect(await stateOf()).toMatchObject({ delivered: 1, retrying: 2, parked: 0 });
});

test('two events that are at fault do not keep each other from being parked', async () => {
  await three();
  it.answer = (event) => {
    if (/mem_[12] added/.test(nameOf(event))) throw new Error('Bad.');
  };
  for (let turn = 0; turn < 12; turn += 1) {
    if (turn % 4 === 0) await it.sync([`mem_${turn + 4}`, 'Other.']);
    await it.deliver({ maxTries: 4 });
    it.clock.time += 300 * second;
  }
  expect(await stateOf()).toMatchObject({ parked: 2 });
});

test('a limit ends after that many tries, and the rest is due', async () => {
  await three();
  expect(await it.deliver({ limit: 2 })).toEqual({ ...nothing, delivered: 2, pending: 1, nextTry: inTime(0) });
});

test('a new sink begins at the start or now, and an existing one where it was', async () => {
  await three();
  expect(await it.deliver({ from: 'now' }, 'late')).toEqual(nothing);
  await it.sync(['mem_4', 'Four.']);
  expect(await it.deliver({ from: 'now' }, 'late')).toEqual({ ...nothing, delivered: 1 });
  expect(await it.deliver({}, 'early')).toEqual({ ...nothing, delivered: 4 });
  expect((await it.mirror.listSinks()).map(({ sink }) => sink)).toEqual(['early', 'late']);
});

test('a replay makes all events due or none', async () => {
  await three();
  const { events } = await it.mirror.events({ types: ['memory.added'] });
  const ids = events.map(({ id }) => id);
  await it.deliver({ limit: 1 });
  expect(await it.mirror.replay('default', ids)).toBe(1);
  await it.deliver();
  expect(it.accepted).toHaveLength(4);
  await expect(it.mirror.replay('default', [...ids, 'evt_9999_0'])).rejects.toMatchObject({ code: 'not_found' });
  expect(await it.deliver()).toEqual(nothing);
});

test('a sink that is removed begins again', async () => {
  await three();
  await it.deliver();
  expect(await it.mirror.removeSink('default')).toBe(true);
  expect(await it.mirror.removeSink('default')).toBe(false);
  expect(await it.deliver()).toMatchObject({ delivered: 3 });
});

test('only one call delivers to a sink at a time, and other sinks are free', async () => {
  await three();
  const codes: string[] = [];
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ code }) => code,
    );
  it.answer = async () => {
    it.answer = () => {};
    codes.push(await codeOf(it.deliver()), await codeOf(it.mirror.removeSink('default')));
    codes.push(await codeOf(it.deliver({}, 'other')), await codeOf(it.mirror.resumeSink('default')));
  };
  await it.deliver();
  expect(codes).toEqual(['busy', 'busy', 'done', 'done']);
});

test('a mirror that is open for reading only lists sinks and deliveries, and delivers nothing', async () => {
  await three();
  failWith(new Error('No.'));
  await it.deliver();
  const reader = await openMirror({ folder: it.folder, readOnly: true });
  onTestFinished(() => reader.close());
  expect(await reader.listSinks()).toMatchObject([{ sink: 'default', pending: 6, retrying: 1 }]);
  expect(await reader.listDeliveries('default')).toHaveLength(1);
  const calls = [reader.deliver('default', () => {}), reader.replay('default', []), reader.resumeSink('default')];
  for (const call of [...calls, reader.removeSink('default')])
    await expect(call).rejects.toMatchObject({ code: 'read_only' });
});

test('a mirror that is closed delivers nothing', async () => {
  await it.mirror.close();
  await expect(it.deliver()).rejects.toMatchObject({ code: 'closed' });
});

test('an unknown sink is not found', async () => {
  for (const call of [it.mirror.listDeliveries('other'), it.mirror.replay('other', [])])
    await expect(call).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  { sink: '' },
  { sink: 'A' },
  { sink: '_a' },
  { sink: '../a' },
  { sink: 'a\n' },
  { sink: 'a'.repeat(65) },
  { sink: 1 },
  { send: {} },
  { options: null },
  { options: { from: 'then' } },
  { options: { maxTries: 0 } },
  { options: { maxTries: 1_001 } },
  { options: { firstRetry: 0 } },
  { options: { firstRetry: 2, longestRetry: 1 } },
  { options: { longestRetry: 0.5 } },
  { options: { longestRetry: day + 1 } },
  { options: { limit: 0 } },
  { options: { onDelivery: 'log' } },
  { options: { signal: {} } },
  { options: { types: [] } },
  { options: { maxtries: 3 } },
])('%o is invalid', async ({ sink = 'default', send = () => {}, options = {} }: Record<string, unknown>) => {
  const call = it.mirror.deliver(sink as string, send as () => void, options as object);
  await expect(call).rejects.toMatchObject({ code: 'invalid_option' });
  expect(await it.mirror.listSinks()).toEqual([]);
});
