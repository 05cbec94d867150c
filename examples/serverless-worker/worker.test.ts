import { recordedMedia } from '@memory-read/fixtures';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import worker from './worker.ts';

const mock = createMemoryMock();
const environment = { MEMORY_API_URL: mock.baseUrl, MEMORY_API_KEY: mock.apiKey, ACCESS_TOKEN: 'TOKENSECRET' };
const allowed = { authorization: 'Bearer TOKENSECRET' };
const logged: unknown[] = [];

beforeEach(() => {
  mock.reset();
  logged.length = 0;
  vi.stubGlobal('fetch', mock.fetch);
  vi.spyOn(console, 'error').mockImplementation((...values) => void logged.push(...values));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the digest has the memories of the last week', async () => {
  mock.memories.add({ name: 'Stand-up', summary: { quick_summary: 'We met.', key_takeaways: ['All is well.'] } });
  const response = await ask('/digest');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toMatch(/^Stand-up \(.+ min\)\n {2}We met\.\n {2}- All is well\.$/m);
});

test('audio is passed on with its type', async () => {
  const memory = mock.memories.add({ duration_seconds: 4 });
  const response = await ask(`/audio?id=${memory.id}`);
  expect(response.headers.get('content-type')).toBe('audio/wav');
  expect(await response.bytes()).toEqual(recordedMedia(memory, 'audio').read());
});

test.each<[string, HeadersInit, string | undefined]>([
  ['no token', {}, 'TOKENSECRET'],
  ['another token', { authorization: 'Bearer TOKEN' }, 'TOKENSECRET'],
  ['no token of its own', { authorization: 'Bearer undefined' }, undefined],
])('responds with 401 and sends no request with %s', async (_, headers, token) => {
  const request = new Request('https://worker.example/digest', { headers });
  const response = await worker.fetch(request, { ...environment, ACCESS_TOKEN: token as string });
  expect([response.status, await response.json()]).toEqual([401, { detail: 'Invalid token' }]);
  expect(mock.requests).toEqual([]);
});

test.each([
  ['/audio?id=mem_none', 404, 'Memory not found'],
  ['/audio', 422, 'The id cannot be used'],
  ['/audio?id=..', 422, 'The id cannot be used'],
  ['/', 404, 'Not Found'],
])('%s is a %i', async (path, status, detail) => {
  const response = await ask(path);
  expect([response.status, await response.json()]).toEqual([status, { detail }]);
});

test('reports a memory without audio', async () => {
  const { id } = mock.memories.add({ media: {} });
  const response = await ask(`/audio?id=${id}`);
  expect([response.status, await response.json()]).toEqual([404, { detail: 'The memory has no audio' }]);
});

test.each([
  [{ status: 429, retryAfter: 90_000 }, 503, '90'],
  [{ status: 503, retryAfter: 90_000 }, 503, '90'],
  [{ status: 501 }, 503, '60'],
  [{ status: 401 }, 502, null],
  ['contract-violation' as const, 502, null],
])('after %j of the API it answers with %i', async (fault, status, retryAfter) => {
  mock.faults.always(fault);
  const response = await ask('/digest');
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
  expect(logged).toHaveLength(2);
  expect(JSON.stringify(logged)).not.toContain(mock.apiKey);
});

test('cancels a request without a response after twenty seconds', async () => {
  vi.useFakeTimers({ now: new Date() });
  mock.faults.always('stall');
  const asked = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', (...parameters: Parameters<typeof fetch>) => {
    asked.resolve();
    return mock.fetch(...parameters);
  });
  const asking = ask('/digest');
  await asked.promise;
  await vi.advanceTimersByTimeAsync(20_000);
  const response = await asking;
  expect([response.status, await response.json()]).toEqual([504, { detail: 'The memories took too long' }]);
});

test('allows no cache to store a response', async () => {
  for (const path of ['/digest', '/none', '/audio?id=mem_none'])
    expect((await ask(path)).headers.get('cache-control')).toBe('private, no-store');
});

function ask(path: string): Promise<Response> {
  return worker.fetch(new Request(`https://worker.example${path}`, { headers: allowed }), environment);
}
