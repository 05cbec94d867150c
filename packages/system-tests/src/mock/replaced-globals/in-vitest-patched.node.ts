import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
const { setupMemoryMock } = await import('@memory-read/msw/node');
const mock = setupMemoryMock({ baseUrl: process.env.REAL_API, hooks: { beforeAll, afterEach, afterAll } });
const ask = async () => (await fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': mock.apiKey } })).status;

test('refused: a mock function from before the mock was loaded', async () => expect(await ask()).toBe(200));
test('answered: the real function again', async () => {
  spy.mockRestore();
  expect(await ask()).toBe(200);
});
test('answered: the patches of zone.js, which call the real functions', async () => {
  // @ts-expect-error: this entry has no types.
  await import('zone.js/node');
  expect(await ask()).toBe(200);
});
