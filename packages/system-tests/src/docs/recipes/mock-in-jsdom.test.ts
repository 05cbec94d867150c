// @vitest-environment jsdom
import { setupMemoryMock } from '@memory-read/msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const mock = setupMemoryMock({ baseUrl: '/api', auth: 'none', hooks: { beforeAll, afterEach, afterAll } });

test.each([
  ['through MSW', (init: RequestInit) => fetch(`${mock.baseUrl}/v1/memories`, init)],
  ['through mock.fetch', (init: RequestInit) => mock.fetch(`${mock.baseUrl}/v1/memories`, init)],
])('in jsdom, whose AbortController is its own, a stall %s ends with the abort', async (_way, ask) => {
  mock.faults.next('stall');
  const aborting = new AbortController();
  const asked = mock.nextRequest();
  const call = ask({ signal: aborting.signal }).catch((error: Error) => error.name);
  expect(await asked).toMatchObject({ fault: 'stall' });
  aborting.abort();
  expect(await call).toBe('AbortError');
  expect((await ask({})).status).toBe(200);
});
