import { expect, test, vi } from 'vitest';
import { createYielder } from './create-yielder.ts';
import { macrotaskOf } from './macrotask.ts';

const { setImmediate, setTimeout, MessageChannel } = globalThis;
const missing = { setImmediate: undefined, MessageChannel: undefined };

const runtimes = [
  ['Node, Bun and Deno', { setImmediate, MessageChannel, setTimeout }],
  ['browsers and service workers', { ...missing, MessageChannel, setTimeout }],
  ['jsdom in Jest', { ...missing, setTimeout }],
] as const;

test.for(runtimes)('%s: the callback runs after all microtasks', async ([, globals]) => {
  const order: string[] = [];
  const ran = new Promise<void>((resolve) =>
    macrotaskOf(globals)(() => {
      order.push('macrotask');
      resolve();
    }),
  );
  for (let tick = 0; tick < 1_000; tick += 1) await undefined;
  order.push('microtasks');
  await ran;

  expect(order).toEqual(['microtasks', 'macrotask']);
});

test.for(runtimes)('%s: other work of the event loop is done during a long loop', async ([, globals]) => {
  const yielder = createYielder({ now: () => performance.now(), macrotask: macrotaskOf(globals), budgetMs: 0 });
  let turns = 0;
  const beat = () => {
    turns += 1;
    timer = setTimeout(beat);
  };
  let timer = setTimeout(beat);
  while (turns < 3) await yielder();
  clearTimeout(timer);

  expect(turns).toBe(3);
});

test('a channel is closed, so it does not keep a process alive', async () => {
  const closed: string[] = [];
  class Channel extends MessageChannel {
    constructor() {
      super();
      this.port1.addEventListener('close', () => closed.push('port1'));
      this.port2.addEventListener('close', () => closed.push('port2'));
    }
  }
  await new Promise<void>((resolve) => macrotaskOf({ ...missing, MessageChannel: Channel, setTimeout })(resolve));

  await vi.waitFor(() => expect(closed.sort()).toEqual(['port1', 'port2']));
});
