import type { Memory } from '@memory-read/contract';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { DeliveryError, type MemoryEvent } from '../index.ts';
import { DAY, deliverUntil, HOUR, openVirtualMirror } from '../testing/virtual-receiver.ts';

test('parks nothing while a receiver is dead for a week', async () => {
  const virtual = await openVirtualMirror(60);
  const { clock, send } = virtual;
  send.judge = () => {
    throw new DeliveryError('no connection', { action: 'unavailable' });
  };
  const report = await deliverUntil(clock.time + 7 * DAY, virtual);
  expect(report).toMatchObject({ delivered: 0, parked: 0, pending: 60 });
  expect(report.failed).toBeLessThanOrEqual(7 * 1_500);
  send.judge = () => {};
  expect(await deliverUntil(clock.time + HOUR, virtual)).toMatchObject({ delivered: 60, failed: 0, pending: 0 });
});

test('delivers 10,000 events once and in order to a receiver that was dead at first', async () => {
  const virtual = await openVirtualMirror(2_000);
  const { clock, mirror, client, memories, send } = virtual;
  // Four changes of each memory: its processing ends, it is renamed twice, and it disappears.
  const change = (change: (index: number) => Partial<Memory>) => {
    for (const [index, [id, memory]] of [...memories].entries()) memories.set(id, { ...memory, ...change(index) });
    clock.time += HOUR;
    return mirror.sync(client);
  };
  await change(() => ({ is_processing: false }));
  await change((index) => ({ name: `Talk ${index}` }));
  await change((index) => ({ duration_seconds: index + 1_000 }));
  const gone = [...memories.keys()];
  memories.clear();
  memories.set('mem_0', sampleMemory({ id: 'mem_0', name: 'The last one' }));
  clock.time += HOUR;
  await mirror.sync(client);
  expect(gone).toHaveLength(2_000);

  send.judge = () => {
    throw new DeliveryError('no connection', { action: 'unavailable' });
  };
  await deliverUntil(clock.time + HOUR, virtual);
  send.judge = () => {};
  const report = await deliverUntil(clock.time + DAY, virtual);
  expect(report).toMatchObject({ delivered: 10_000, failed: 0, parked: 0, pending: 0 });

  const log: MemoryEvent[] = [];
  for (let after: string | null = null; log.length < 10_000; ) {
    const page = await mirror.events({ ...(after !== null && { after }), limit: 1_000 });
    expect(page.events.length).toBeGreaterThan(0);
    log.push(...page.events);
    after = page.cursor;
  }
  const ofMemories = (events: readonly MemoryEvent[]) => Map.groupBy(events, ({ data }) => data.memory_id);
  const received = ofMemories(send.accepted.map(({ event }) => event));
  const expected = ofMemories(log);
  expect(received.size).toBe(2_000);
  for (const [id, events] of expected) expect(received.get(id)).toEqual(events);
  expect(expected.get('mem_1')?.map(({ type }) => type)).toEqual([
    'memory.added',
    'memory.processed',
    'memory.changed',
    'memory.changed',
    'memory.missing',
  ]);
});
