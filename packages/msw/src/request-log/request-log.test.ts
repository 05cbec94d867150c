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
      kind: null,
      method: 'GET',
      path: '/v1/memories',
      headers: {},
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

test('logs media, with their memory, kind and range, and without the query of their URL', async () => {
  const { id } = mock.memories.add();
  const { audio_url, video_url } = await (await get(`/v1/memories/${id}`)).json();
  const api = mock.nextRequest();
  const media = mock.nextRequest('media');
  await mock.fetch(audio_url, { headers: { range: 'bytes=0-3', referer: video_url } });
  await mock.fetch(audio_url, { method: 'OPTIONS' });
  await mock.fetch(`${mock.mediaUrl}/none`);
  await get('/v1/memories');
  expect(await media).toBe(mock.requests[1]);
  expect(await api).toBe(mock.requests[3]);
  expect(mock.requests.slice(1, 3)).toEqual([
    {
      operation: 'media',
      memoryId: id,
      kind: 'audio',
      method: 'GET',
      path: new URL(audio_url).pathname,
      headers: { range: 'bytes=0-3', referer: video_url.replace(/\?.*/, '') },
      auth: 'none',
      at: mock.clock.now(),
      fault: null,
      status: 206,
    },
    expect.objectContaining({ operation: 'media', memoryId: null, kind: null, path: '/media/none', status: 403 }),
  ]);
  expect(JSON.stringify(mock.requests)).not.toContain('signature');
});

test('the log contains no key, wherever it is sent', async () => {
  const { apiKey } = mock;
  mock.faults.next({ status: 503, detail: apiKey });
  await ask(`/v1/memories?key=${apiKey}`, {
    headers: {
      ...{
        authorization: `Bearer ${apiKey}`,
        'x-api-key': 'other-key',
        cookie: 'session=1',
        'proxy-authorization': 'Basic x',
      },
      ...{
        'x-forwarded-key': `a ${apiKey} b`,
        referer: `https://page.test/a?x=1#y, /b?z`,
        accept: 'text/html;q=0.9, */*',
      },
    },
  });
  expect(mock.requests[0]?.fault).toEqual({ status: 503, detail: '[key]' });
  expect(mock.requests[0]?.headers).toEqual({
    'x-forwarded-key': 'a [key] b',
    referer: 'https://page.test/a /b',
    accept: 'text/html;q=0.9, */*',
  });
  expect(() => Object.assign(mock.requests[0]?.headers ?? {}, { range: '' })).toThrow(TypeError);
  expect(JSON.stringify(mock.requests)).not.toContain(apiKey.slice(4));
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
    `Failed to wait for a request: operation is "foo", which is not supported. Use 'listMemories', 'getMemory' or 'media'.`,
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
