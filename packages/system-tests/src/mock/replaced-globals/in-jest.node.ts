import http from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isMediaUrlExpired } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { withGlobal } from '@sinonjs/fake-timers';
import { setupServer } from 'msw/node';

const baseUrl = process.env.REAL_API ?? '';
const real = { nextTick: process.nextTick };

const jestFakes = () => void jest.useFakeTimers({ advanceTimers: true });
const sinon = (toFake: 'nextTick'[]) => withGlobal(globalThis).install({ toFake, shouldAdvanceTime: true });

/** Sends one request with the key, and returns how many memories arrived. */
const clients: Record<string, (key: string) => Promise<number>> = {
  fetch: async (key) => {
    const response = await fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': key } });
    return (await response.json()).length;
  },
  'http.request': (key) =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': key };
      const request = http.get(`${baseUrl}/v1/memories`, { headers }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(JSON.parse(text).length);
      });
      request.on('error', reject);
    }),
};

for (const [name, ask] of Object.entries(clients)) {
  describe(name, () => {
    const mock = setupMemoryMock({ baseUrl });
    afterEach(() => void jest.useRealTimers());

    test('refused: advancing fake timers', async () => {
      jestFakes();
      expect(await ask(mock.apiKey)).toBe(12);
    });
    test('answered', async () => expect(await ask(mock.apiKey)).toBe(12));
    test('refused: fake timers, over a connection that is open', async () => {
      jestFakes();
      expect(await ask(mock.apiKey)).toBe(12);
    });
    test('refused: restored within the test', async () => {
      jestFakes();
      await ask(mock.apiKey).catch(() => {});
      jest.useRealTimers();
    });
    test('refused: caught, and no await', () => {
      jestFakes();
      ask(mock.apiKey).catch(() => {});
    });
    test('refused: legacy fake timers', async () => {
      jest.useFakeTimers({ legacyFakeTimers: true });
      expect(await ask(mock.apiKey)).toBe(12);
    });
    test('refused: fake timers of Sinon', async () => {
      const clock = sinon(['nextTick']);
      await ask(mock.apiKey).finally(() => clock.uninstall());
    });
    test('refused: replaced by hand', async () => {
      process.nextTick = (run: () => void) => void setTimeout(run, 1);
      await ask(mock.apiKey).finally(() => Object.assign(process, real));
    });
    test('answered: without the three', async () => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
      expect(await ask(mock.apiKey)).toBe(12);
    });
    test('answered: the last one', async () => expect(await ask(mock.apiKey)).toBe(12));
  });
}

describe('hooks before those of the mock', () => {
  beforeEach(jestFakes);
  afterEach(() => void jest.useRealTimers());
  const mock = setupMemoryMock({ baseUrl });
  test('refused', async () => expect(await clients.fetch?.(mock.apiKey)).toBe(12));
});

describe('hooks after those of the mock', () => {
  const mock = setupMemoryMock({ baseUrl });
  beforeEach(jestFakes);
  afterEach(() => void jest.useRealTimers());
  test('refused', async () => expect(await clients.fetch?.(mock.apiKey)).toBe(12));
  test('answered: no request', () => {});
});

describe('a joined server', () => {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: 'bypass', onUnhandledRequest: 'bypass' } as never));
  const mock = setupMemoryMock({ baseUrl, server });
  afterEach(() => void jest.useRealTimers());
  afterAll(() => server.close());
  test('refused', async () => {
    jestFakes();
    expect(await clients.fetch?.(mock.apiKey)).toBe(12);
  });
  test('answered', async () => expect(await clients.fetch?.(mock.apiKey)).toBe(12));
});

describe('setSystemTime', () => {
  const mock = setupMemoryMock({ baseUrl });
  afterEach(() => void jest.useRealTimers());
  test('answered: it moves the mock and the client together', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    jest.setSystemTime(Date.UTC(2030, 0, 2));
    const { id } = mock.memories.add();
    const response = await fetch(`${baseUrl}/v1/memories/${id}`, { headers: { 'x-api-key': mock.apiKey } });
    const url = (await response.json()).audio_url;
    expect(response.headers.get('date')).toBe('Wed, 02 Jan 2030 00:00:00 GMT');
    expect(isMediaUrlExpired(url)).toBe(false);
    jest.setSystemTime(Date.UTC(2030, 0, 2, 1, 0, 1));
    expect([isMediaUrlExpired(url), (await mock.fetch(url)).status]).toEqual([true, 403]);
  });
});
