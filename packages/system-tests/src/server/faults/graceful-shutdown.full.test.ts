import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { idsOf, type LargeLists, serveLargeLists } from './large-lists.ts';

const boundMs = 10_000;
const toleranceMs = 5_000;
let lists: LargeLists;

beforeEach(async () => {
  lists = await serveLargeLists();
});

test('cuts off a stalled reader after ten seconds, shows that its list is incomplete, and ends with 0', async () => {
  const stalled = await lists.begin();
  const ended = once(lists.server.child, 'exit');
  lists.server.child.kill('SIGTERM');
  const signalledAt = performance.now();
  expect(await ended).toEqual([0, null]);
  const elapsed = performance.now() - signalledAt;
  expect(elapsed).toBeGreaterThan(boundMs - 500);
  expect(elapsed).toBeLessThan(boundMs + toleranceMs);
  await expect(idsOf(stalled)).rejects.toMatchObject({ code: 'ECONNRESET' });
});
