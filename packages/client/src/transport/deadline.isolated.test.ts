import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rejection } from '../testing/rejection.ts';
import { never } from '../testing/stub-fetch.ts';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  // Hermes has none.
  vi.stubGlobal('DOMException', undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('without DOMException, a call times out as anywhere else', async () => {
  const { MemoryClient } = await import('../index.ts');
  const fetch = (request: Request) => never(request);
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk', fetch });
  const call = rejection(client.getMemory('mem_1', { totalTimeout: 1_000 }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await call).toMatchObject({ name: 'RequestTimeoutError', code: 'timeout' });
});

test('without DOMException, the reasons of signals have the usual names', async () => {
  const { linkSignal } = await import('./deadline.ts');
  const [aborted, late] = [linkSignal(undefined), linkSignal(undefined, 1_000)];
  aborted.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([aborted, late].map(({ signal }) => signal.reason)).toMatchObject([
    { name: 'AbortError' },
    { name: 'TimeoutError' },
  ]);
});
