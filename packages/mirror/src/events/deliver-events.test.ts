import { beforeEach, expect, test } from 'vitest';
import { nameOf, openDeliveries, type TestDeliveries } from '../testing/open-deliveries.ts';
import { readFolder } from '../testing/read-folder.ts';

let it: TestDeliveries;
beforeEach(async () => {
  it = await openDeliveries();
});

const second = 1_000;
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
