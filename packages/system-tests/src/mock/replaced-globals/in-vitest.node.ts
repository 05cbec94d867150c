import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setupMemoryMock } from '@memory-read/msw/node';
import { install } from '@sinonjs/fake-timers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const mock = setupMemoryMock({ baseUrl: process.env.REAL_API, hooks: { beforeAll, afterEach, afterAll } });
const url = `${mock.baseUrl}/v1/memories`;
const ask = async () => (await fetch(url, { headers: { 'x-api-key': mock.apiKey } })).status;
afterEach(() => void vi.useRealTimers());

for (const name of ['nextTick', 'queueMicrotask', 'setImmediate'] as const) {
  test(`refused: ${name}`, async () => {
    vi.useFakeTimers({ toFake: [name] });
    await ask();
  });
  test(`refused: ${name} of Sinon`, async () => {
    const clock = install({ toFake: [name] });
    await ask().finally(() => clock.uninstall());
  });
  test('answered', async () => expect(await ask()).toBe(200));
}
test('answered: without the three', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  expect(await ask()).toBe(200);
});
test('answered: a named import of node:http', async () => {
  const response = await new Promise<Response>((resolve, reject) => {
    get(url, { headers: { 'x-api-key': mock.apiKey } }, resolve as never).on('error', reject);
  });
  expect(JSON.parse(await text(response as never))).toHaveLength(12);
});
