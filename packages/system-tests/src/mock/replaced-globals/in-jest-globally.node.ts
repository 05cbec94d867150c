import { expect, jest, test } from '@jest/globals';
import { setupMemoryMock } from '@memory-read/msw/node';

const mock = setupMemoryMock({ baseUrl: process.env.REAL_API });
const ask = async () => (await fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': mock.apiKey } })).status;

test('refused: faked before the mock was loaded', async () => expect(await ask()).toBe(200));
test('answered: no request', () => {});
test('answered: real timers', async () => {
  jest.useRealTimers();
  expect(await ask()).toBe(200);
});
