import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

vi.useFakeTimers({ toFake: ['queueMicrotask', 'setImmediate'] });
const { setupMemoryMock } = await import('@memory-read/msw/node');
const mock = setupMemoryMock({ baseUrl: process.env.REAL_API, hooks: { beforeAll, afterEach, afterAll } });
const ask = async () => (await fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': mock.apiKey } })).status;

test('refused: faked before the mock was loaded', async () => expect(await ask()).toBe(200));
test('answered: no request', () => {});
test('answered: real timers', async () => {
  vi.useRealTimers();
  expect(await ask()).toBe(200);
});
