import { beforeEach, expect, test } from 'vitest';
import { createMemoryMock, type MemoryMock } from '../create-memory-mock.ts';

let mock: MemoryMock;
beforeEach(() => {
  mock = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
});

const ask = (path: string, init?: RequestInit) => mock.fetch(`${mock.baseUrl}${path}`, init);
const get = (path: string) => ask(path, { headers: { 'x-api-key': mock.apiKey } });

test('logs each request in order: its target, its key and its status', async () => {
  const { id } = mock.memories.add({ id: 'mem/1' });
  mock.faults.next({ status: 503 }, { match: { memoryId: id } });
  await get('/v1/memories?api_key=secret');
  mock.clock.advance(1000);
  await get('/v1/memories/mem%2F1');
  await ask('/v1/memories/%zz', { method: 'HEAD', headers: { authorization: `Bearer ${mock.apiKey}` } });
  await ask('/v1/other', { method: 'POST' });
  expect(mock.requests).toEqual([
    {
      operation: 'listMemories',
      memoryId: null,
      method: 'GET',
      path: '/v1/memories',
      auth: 'x-api-key',
      at: new Date('2026-01-01T12:00:00Z'),
      fault: null,
      status: 200,
    },
    expect.objectContaining({
      operation: 'getMemory',
      memoryId: 'mem/1',
      path: '/v1/memories/mem%2F1',
      at: new Date('2026-01-01T12:00:01Z'),
      fault: { status: 503 },
      status: 503,
    }),
    expect.objectContaining({ operation: 'getMemory', memoryId: '%zz', method: 'HEAD', auth: 'bearer', status: 422 }),
    expect.objectContaining({ operation: null, memoryId: null, path: '/v1/other', auth: 'none', status: 404 }),
  ]);
});

test.each([
  [{}, 'none'],
  [{ authorization: 'Basic YTpi' }, 'none'],
  [{ authorization: 'Bearer' }, 'none'],
  [{ authorization: 'bearer x' }, 'bearer'],
  [{ 'x-api-key': 'x' }, 'x-api-key'],
  [{ 'x-api-key': 'x', authorization: 'Bearer y' }, 'both'],
])('%j is the auth scheme %s', async (headers, auth) => {
  await ask('/v1/memories', { headers: headers as Record<string, string> });
  expect(mock.requests[0]?.auth).toBe(auth);
});

test('the log contains no key, whatever is done with it', async () => {
  await ask(`/v1/memories?key=${mock.apiKey}`, { headers: { authorization: `Bearer ${mock.apiKey}` } });
  await get('/v1/memories');
  expect(JSON.stringify(mock.requests)).not.toContain(mock.apiKey);
  expect(JSON.stringify(mock.requests)).not.toContain(mock.apiKey.slice(4));
});

test('the log contains no key, even if it is sent in the path', async () => {
  const { apiKey } = mock.accounts.add({ apiKey: 'secret/key' });
  mock.accounts.deactivateKey(apiKey);
  await get(`/v1/memories/${mock.apiKey}`);
  await get(`/v1/memories/x-${encodeURIComponent(apiKey)}`);
  await get(`/${apiKey}`);
  expect(mock.requests.map(({ path, memoryId }) => [path, memoryId])).toEqual([
    ['/v1/memories/[key]', '[key]'],
    ['/v1/memories/x-[key]', 'x-[key]'],
    ['/[key]', null],
  ]);
});

test('rejects waiting for an unknown operation', () => {
  expect(() => mock.nextRequest('foo' as never)).toThrow(
    `Failed to wait for a request: operation is "foo", which is not supported. Use 'listMemories' or 'getMemory'.`,
  );
});

test('nextRequest resolves with the next request, or the next one of an operation, after its response', async () => {
  await get('/v1/memories');
  const [any, detail] = [mock.nextRequest(), mock.nextRequest('getMemory')];
  await get('/v1/memories');
  await get('/v1/memories/mem_none');
  expect(await any).toBe(mock.requests[1]);
  expect(await detail).toBe(mock.requests[2]);
  expect(await detail).toMatchObject({ status: 404 });
});

test('a network error has no status, and counts as a response', async () => {
  mock.faults.next('network-error');
  const next = mock.nextRequest();
  await expect(get('/v1/memories')).rejects.toThrow('a scheduled fault is a network error');
  expect(await next).toMatchObject({ fault: 'network-error', status: null });
});

test('a request of an earlier test does not resolve nextRequest of the next test', async () => {
  mock.faults.next({ delay: 60_000 });
  const late = get('/v1/memories').catch(() => {});
  const forgotten = mock.nextRequest();
  mock.reset();
  await expect(forgotten).rejects.toThrow(
    'Failed to wait for a request: the mock was reset before a request was answered. Await nextRequest in the same test.',
  );
  const next = mock.nextRequest();
  await late;
  await get('/v1/memories/mem_none');
  expect(await next).toMatchObject({ operation: 'getMemory' });
  expect(mock.requests).toHaveLength(1);
});

test('paths that only resemble those of an operation do not count', async () => {
  for (const path of ['/v1/memories/', '/v1/memories/a/b', '/v1/memoriesx', '/V1/memories', '/x/v1/memories']) {
    await get(path);
  }
  expect(mock.requests.map(({ operation }) => operation)).toEqual([null, null, null, null, null]);
});
