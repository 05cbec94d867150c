import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { MockServer } from '../mock-server.ts';
import { startMockServer } from '../start-mock-server.ts';
import { awaitRequests } from './await-requests.ts';
import type { NextEntry } from './control-route.ts';

async function start(): Promise<MockServer> {
  const server = await startMockServer({ memories: [], control: {} });
  onTestFinished(() => server.close());
  return server;
}

interface Page {
  requests: { seq: number; at: string; path: string }[];
  next: number;
}

async function read(server: MockServer, query: string, signal?: AbortSignal): Promise<Page> {
  const url = `${server.controlUrl}/spaces/default/requests${query}`;
  return (await (await fetch(url, { signal: signal ?? null })).json()) as Page;
}

const send = async ({ baseUrl, apiKey }: MockServer, path = '/v1/memories') =>
  void (await (await fetch(baseUrl + path, { headers: { 'x-api-key': apiKey } })).text());

test('returns the entries after one at once, and the number of the last one', async () => {
  const server = await start();
  await send(server);
  await send(server, '/v1/memories/mem_1');
  await vi.waitUntil(() => server.requests.length === 2);
  const all = await read(server, '');
  expect(all).toEqual({ requests: JSON.parse(JSON.stringify(server.requests)), next: 2 });
  expect(await read(server, '?after=1&wait=60')).toEqual({ requests: all.requests.slice(1), next: 2 });
  expect(await read(server, '?after=2')).toEqual({ requests: [], next: 2 });
  expect(JSON.stringify(all)).not.toContain(server.apiKey);
});

test.each<[what: string, seq: number | undefined, end: (server: MockServer) => unknown]>([
  ['the next request', 2, (server) => send(server)],
  ['a request to another origin', 2, ({ elsewhereUrl }) => fetch(elsewhereUrl)],
  [
    'a stall',
    2,
    (server) => {
      server.faults.next('stall');
      void send(server).catch(() => {});
    },
  ],
  ['a reset', undefined, (server) => server.reset()],
  ['the end of the space', undefined, (server) => server.spaces()[0]?.close()],
  ['the end of the server', undefined, (server) => server.close()],
])('%s ends the wait', async (_, seq, end) => {
  const server = await start();
  await send(server);
  const arrived = watchWaits();
  const page = read(server, '?after=1&wait=60');
  await arrived();
  await end(server);
  expect((await page).requests.map((each) => each.seq)).toEqual(seq === undefined ? [] : [seq]);
  if (seq === undefined) expect(await page).toMatchObject({ requests: [] });
});

test('an entry that is not newer does not end the wait', async () => {
  const server = await start();
  const arrived = watchWaits();
  const page = read(server, '?after=2&wait=60');
  await arrived();
  for (let count = 0; count < 3; count += 1) await send(server);
  expect(await page).toMatchObject({ requests: [{ seq: 3 }], next: 3 });
});

test('a caller that leaves leaves no timer behind', async () => {
  const server = await start();
  const arrived = watchWaits();
  const clearing = vi.spyOn(globalThis, 'clearTimeout');
  onTestFinished(() => clearing.mockRestore());
  const leaving = new AbortController();
  const page = read(server, '?wait=60', leaving.signal);
  const timer = await arrived();
  leaving.abort();
  await expect(page).rejects.toThrow('abort');
  await vi.waitUntil(() => clearing.mock.calls.some(([cleared]) => cleared === timer));
});

test.each<[what: string, end: (parts: { caller: AbortController; settle: PromiseWithResolvers<unknown> }) => unknown]>([
  ['a reset', ({ settle }) => settle.reject(new Error('reset'))],
  ['the time', () => vi.advanceTimersByTime(1_000)],
  ['the caller', ({ caller }) => caller.abort()],
])('when %s ends the wait, no timer, no listener and no wait in the log stay', async (_, end) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = await start();
  const caller = new AbortController();
  const settle = Promise.withResolvers<unknown>();
  let waits = 0;
  const nextEntry: NextEntry = async (_space, signal) => {
    waits += 1;
    signal.addEventListener('abort', () => settle.reject(signal.reason), { once: true });
    await settle.promise.finally(() => (waits -= 1));
  };
  const before = vi.getTimerCount();
  const page = awaitRequests(server, { after: 0, waitMs: 1_000, signal: caller.signal, nextEntry });
  expect([waits, vi.getTimerCount() - before, getEventListeners(caller.signal, 'abort').length]).toEqual([1, 1, 1]);
  end({ caller, settle });
  expect(await page).toEqual({ requests: [], next: 0 });
  expect([waits, vi.getTimerCount() - before, getEventListeners(caller.signal, 'abort').length]).toEqual([0, 0, 0]);
});

/** Returns a function that waits until a request has arrived that waits for 60 seconds, and returns its timer. */
function watchWaits(): () => Promise<unknown> {
  const setting = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => setting.mockRestore());
  return () =>
    vi.waitUntil(() => setting.mock.results[setting.mock.calls.findIndex(([, delay]) => delay === 60_000)]?.value);
}
