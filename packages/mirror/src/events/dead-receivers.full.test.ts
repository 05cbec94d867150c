import { expect, test } from 'vitest';
import { DeliveryError } from '../index.ts';
import { DAY, deliverUntil, openVirtualMirror } from '../testing/virtual-receiver.ts';

const fails = {
  'is dead': () => {
    throw new DeliveryError('no connection', { action: 'unavailable' });
  },
  'answers 404 to everything': () => {
    throw new DeliveryError('404');
  },
};

test.each(Object.entries(fails))('parks nothing of 60 events while the receiver %s for a day', async (_name, fail) => {
  const virtual = await openVirtualMirror(60);
  const { clock, mirror, send } = virtual;
  send.judge = fail;

  const report = await deliverUntil(clock.time + DAY, virtual);
  expect(report).toMatchObject({ delivered: 0, parked: 0, pending: 60, stopped: null });
  expect(send.tries).toBe(report.failed);
  expect(send.tries).toBeLessThanOrEqual(3_000);
  // The pause of the sink is at most a minute, so that the end of a failure is noticed.
  expect(send.tries).toBeGreaterThan(1_000);

  send.judge = () => {};
  const alive = clock.time;
  expect(await deliverUntil(alive + DAY, virtual)).toMatchObject({
    delivered: 60,
    failed: 0,
    pending: 0,
    nextTry: null,
  });
  expect(send.accepted.at(-1)?.at).toBeLessThanOrEqual(alive + 60_000);
  const { events } = await mirror.events();
  expect(new Set(send.accepted.map(({ event }) => event.id))).toEqual(new Set(events.map(({ id }) => id)));
});

test.each([{ maxTries: 20 }, { maxTries: 3 }, { maxTries: 1 }])(
  'parks only the bad one of 60 events, after $maxTries tries that count',
  async ({ maxTries }) => {
    const virtual = await openVirtualMirror(60);
    const { clock, mirror, client, memories, send } = virtual;
    const start = clock.time;
    send.judge = ({ type, data }) => {
      if (data.memory_id === 'mem_7' && type === 'memory.added') throw new DeliveryError('400');
    };
    // The later event of the same memory waits for the bad one.
    const bad = memories.get('mem_7');
    if (bad) memories.set('mem_7', { ...bad, is_processing: false });
    await mirror.sync(client);

    const report = await deliverUntil(start + DAY, virtual, { maxTries });
    expect(report).toMatchObject({ delivered: 60, parked: 1, pending: 0, nextTry: null });
    // The first try does not count if no other event was accepted since.
    expect(report.failed - maxTries).toBeOneOf([0, 1]);
    expect(send.accepted.at(-1)?.event).toMatchObject({ type: 'memory.processed', data: { memory_id: 'mem_7' } });
    const [parked, ...others] = await mirror.listDeliveries('default', { state: 'parked' });
    expect(others).toEqual([]);
    expect(parked).toMatchObject({ memoryId: 'mem_7', type: 'memory.added', attempts: report.failed });
    // Each try of the bad event delays the others by the first pause of the sink, not by its own pauses.
    expect(send.accepted.at(-2)?.at).toBeLessThanOrEqual(start + 2_000);
  },
);
