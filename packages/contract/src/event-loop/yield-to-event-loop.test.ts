import { afterEach, expect, test, vi } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

afterEach(() => vi.useRealTimers());

/** Calls until the result is a promise, as a loop does that never waits for anything. */
function untilPromise() {
  for (;;) {
    const answer = yieldToEventLoop();
    if (answer !== undefined) return answer;
  }
}

test('a busy loop gets a promise, and timers run before it resolves', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other work'));
  await untilPromise();
  order.push('loop');

  expect(order).toEqual(['other work', 'loop']);
});

test('fake timers do not stop a loop', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'performance'] });

  await expect(untilPromise()).resolves.toBeUndefined();
});
