import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stubFetch } from '../testing/stub-fetch.ts';

const startedAt = new Date('2026-11-20T12:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ now: startedAt, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** An API whose URLs contain the key of the request and expire after an hour. */
function createApi(changes: Record<string, unknown> = {}) {
  const api = stubFetch(async (request) => {
    const id = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '');
    const url = `https://media.example.com/${request.headers.get('authorization')}/${api.requests.length}`;
    return json(
      sampleMemory({ id, audio_url: `${url}?expires=${Date.now() / 1000 + 3600}`, video_url: `${url}`, ...changes }),
    );
  });
  return api;
}

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_1', retries: 0, ...options });
}

test('returns a URL with its expiry by the local clock', async () => {
  const { fetch } = createApi();
  expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio')).toEqual({
    url: `https://media.example.com/Bearer sk_1/1?expires=${startedAt.getTime() / 1000 + 3600}`,
    expiresAt: new Date('2026-11-20T13:00:00Z'),
  });
});

test('caches a URL until five minutes before it expires', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  const first = await client.mediaUrl('mem_1', 'audio');
  passMinutes(55);
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(first);
  passMinutes(0.01);
  expect(await client.mediaUrl('mem_1', 'audio')).not.toEqual(first);
  expect(requests).toHaveLength(2);
});

test('minimumLifetime sets the remaining lifetime that a cached URL must have', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  passMinutes(10);
  await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 50 * 60_000 });
  expect(requests).toHaveLength(1);
  await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 50 * 60_000 + 1 });
  expect(requests).toHaveLength(2);
});

test('reads again with fresh, shares the request with others of this kind, and caches the URL', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  const first = await client.mediaUrl('mem_1', 'audio');
  const [second, third] = await Promise.all([1, 2].map(() => client.mediaUrl('mem_1', 'audio', { fresh: true })));
  expect(second?.url).not.toBe(first?.url);
  expect(third).toEqual(second);
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(second);
  expect(requests).toHaveLength(2);
});

test.each([
  [403, 1],
  [404, 1],
  [451, 0],
])('after the storage has answered %d to openMedia, a cached URL costs %d requests', async (status, cost) => {
  const api = createApi();
  const isApi = ({ url }: Request) => url.startsWith('https://api.example.com');
  const fetch = async (request: Request) => (isApi(request) ? api.fetch(request) : new Response('x', { status }));
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  await client.mediaUrl('mem_1', 'video');
  await rejection(client.openMedia('mem_1', 'audio'));
  const before = api.requests.length;
  await client.mediaUrl('mem_1', 'video');
  expect(api.requests).toHaveLength(before);
  await client.mediaUrl('mem_1', 'audio');
  expect(api.requests).toHaveLength(before + cost);
});

test('fresh does not join a request that began without it', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  await Promise.all([client.mediaUrl('mem_1', 'audio'), client.mediaUrl('mem_1', 'audio', { fresh: true })]);
  expect(requests).toHaveLength(2);
});

test('returns a fresh URL even if its lifetime is short', async () => {
  const { fetch } = createApi({ audio_url: 'https://media.example.com/a?expires=100000000' });
  const options = { minimumLifetime: 7_200_000 };
  expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio', options)).toMatchObject({
    expiresAt: new Date(1e11),
  });
});

test('caches the URLs of memories and kinds separately', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  for (const kind of ['audio', 'video'] as const) {
    for (const id of ['mem_1', 'mem_2']) {
      await client.mediaUrl(id, kind);
      await client.mediaUrl(id, kind);
    }
  }
  expect(requests.map(({ url }) => url.slice(-5))).toEqual(['mem_1', 'mem_2', 'mem_1', 'mem_2']);
});

test('does not cache that a memory has no media, and removes the previous URL', async () => {
  const { fetch, requests } = stubFetch(
    json(sampleMemory({ audio_url: 'https://media.example.com/a' })),
    json(sampleMemory({ audio_url: null })),
  );
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  expect(await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 7_200_000 })).toBeNull();
  expect(await client.mediaUrl('mem_1', 'audio')).toBeNull();
  expect(requests).toHaveLength(3);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/plain,hi',
  'FILE:///etc/passwd',
  'blob:https://a/b',
])('never returns a URL such as %j', async (url) => {
  const { fetch } = createApi({ audio_url: url });
  expect(await rejection(createClient({ fetch, validation: 'off' }).mediaUrl('mem_1', 'audio'))).toMatchObject({
    code: 'invalid_response',
    reason: 'structure',
    request: { method: 'GET', attempts: 1 },
    responseHeaders: { 'content-type': 'application/json' },
  });
});

test.each(['https://media.example.com/a:b', 'HTTP://media.example.com/', '/media/a?b=c:d', '//media.example.com/a'])(
  'returns a URL such as %s unchanged',
  async (url) => {
    const { fetch } = createApi({ audio_url: url });
    expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio')).toMatchObject({ url });
  },
);

test('changes of a returned Date do not affect the cache', async () => {
  const client = createClient({ fetch: createApi().fetch });
  const first = await client.mediaUrl('mem_1', 'audio');
  first?.expiresAt.setTime(0);
  expect((await client.mediaUrl('mem_1', 'audio'))?.expiresAt).toEqual(new Date('2026-11-20T13:00:00Z'));
});

test('caches 1,000 URLs, and removes the oldest first', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  for (let number = 0; number < 1_001; number += 1) await client.mediaUrl(`mem_${number}`, 'audio');
  await client.mediaUrl('mem_1', 'audio');
  expect(requests).toHaveLength(1_001);
  await client.mediaUrl('mem_0', 'audio');
  expect(requests).toHaveLength(1_002);
});

test('concurrent callers share one request for each kind', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  const urls = await Promise.all([1, 2, 3].map(() => client.mediaUrl('mem_1', 'audio')));
  expect(new Set(urls.map((media) => media?.url)).size).toBe(1);
  expect(requests).toHaveLength(1);
});

test('an abort of one caller ends neither the request nor the other calls, but an abort of the last one does', async () => {
  const answer = Promise.withResolvers<Response>();
  const { fetch, requests } = stubFetch(() => answer.promise);
  const client = createClient({ fetch });
  const controller = new AbortController();
  const first = rejection(client.mediaUrl('mem_1', 'audio', { signal: controller.signal }));
  const second = client.mediaUrl('mem_1', 'audio');
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  controller.abort('Gone.');
  expect(await first).toBe('Gone.');
  expect(requests[0]?.signal.aborted).toBe(false);
  answer.resolve(json(sampleMemory({ audio_url: 'https://media.example.com/a' })));
  expect(await second).toMatchObject({ url: 'https://media.example.com/a' });

  const alone = stubFetch(never);
  const leaving = new AbortController();
  const last = rejection(createClient({ fetch: alone.fetch }).mediaUrl('mem_1', 'audio', { signal: leaving.signal }));
  await vi.waitFor(() => expect(alone.requests).toHaveLength(1));
  leaving.abort('Gone.');
  expect(await last).toBe('Gone.');
  expect(alone.requests[0]?.signal.aborted).toBe(true);
});

test('after all callers have aborted, the next one sends a new request', async () => {
  const answer = Promise.withResolvers<Response>();
  const answers: StubAnswer[] = [never, () => answer.promise];
  const { fetch, requests } = stubFetch(...answers);
  const client = createClient({ fetch });
  const controller = new AbortController();
  const first = rejection(client.mediaUrl('mem_1', 'audio', { signal: controller.signal }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  controller.abort();
  await first;
  const second = client.mediaUrl('mem_1', 'audio');
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  const third = client.mediaUrl('mem_1', 'audio');
  answer.resolve(json(sampleMemory({ audio_url: 'https://media.example.com/a' })));
  expect(await second).toMatchObject({ url: 'https://media.example.com/a' });
  expect(await third).toMatchObject({ url: 'https://media.example.com/a' });
  expect(requests).toHaveLength(2);
});

test('callers with other timeouts or headers do not share a request', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  await Promise.all([
    client.mediaUrl('mem_1', 'audio'),
    client.mediaUrl('mem_1', 'audio', { timeout: 5_000 }),
    client.mediaUrl('mem_1', 'audio', { headers: { 'x-team': 'red' } }),
    client.mediaUrl('mem_1', 'audio', { minimumLifetime: 1 }),
  ]);
  expect(requests).toHaveLength(3);
});

test('does not cache a failure', async () => {
  const { fetch, requests } = stubFetch(json({ detail: 'x' }, { status: 500 }), json(sampleMemory()));
  const client = createClient({ fetch });
  expect(await rejection(client.mediaUrl('mem_1', 'audio'))).toMatchObject({ code: 'server' });
  expect(await client.mediaUrl('mem_1', 'audio')).not.toBeNull();
  expect(requests).toHaveLength(2);
});

test('calls an apiKey function for each look-up, and caches the URLs of each key separately', async () => {
  const { fetch, requests } = createApi();
  let key = 'sk_1';
  const apiKey = vi.fn(async () => key);
  const client = createClient({ fetch, apiKey });
  const first = await client.mediaUrl('mem_1', 'audio');
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(first);
  expect([apiKey.mock.calls.length, requests.length]).toEqual([3, 1]);
  key = 'sk_2';
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_2');
  key = 'sk_1';
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(first);
});

test('caches a response under the key that its request was sent with', async () => {
  const { fetch } = createApi();
  const keys = ['sk_1', 'sk_2', 'sk_1', 'sk_1', 'sk_2'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'none' });
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_2/1');
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_1/2');
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_2/1');
});

test('never returns the URL of another account, even if the apiKey function changes its key', async () => {
  const { fetch } = createApi();
  // Both calls get sk_1, but the request of the first one is sent with sk_2.
  const keys = ['sk_1', 'sk_1', 'sk_2', 'sk_1'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'none' });
  const [, second] = await Promise.all([client.mediaUrl('mem_1', 'audio'), client.mediaUrl('mem_1', 'audio')]);
  expect(second?.url).toContain('sk_1');
});

test('never rejects with the failure of another account', async () => {
  const { fetch } = stubFetch(async ({ headers }) =>
    headers.get('authorization') === 'Bearer sk_1'
      ? json(sampleMemory({ audio_url: 'https://media.example.com/of_1' }))
      : json({ detail: 'Memory not found' }, { status: 404 }),
  );
  const keys = ['sk_1', 'sk_1', 'sk_2', 'sk_1'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'none' });
  const first = rejection(client.mediaUrl('mem_1', 'audio'));
  expect(await client.mediaUrl('mem_1', 'audio')).toMatchObject({ url: 'https://media.example.com/of_1' });
  expect(await first).toMatchObject({ code: 'not_found' });
});

test('concurrent callers with one key share a failure too', async () => {
  const { fetch, requests } = stubFetch(json({ detail: 'Memory not found' }, { status: 404 }));
  for (const apiKey of ['sk_1', () => 'sk_1']) {
    const client = createClient({ fetch, apiKey });
    const errors = await Promise.all([1, 2, 3].map(() => rejection(client.mediaUrl('mem_1', 'audio'))));
    expect(errors.map((error) => JSON.stringify(error))).toEqual(errors.map(() => JSON.stringify(errors[0])));
    // Each caller has an error with frames of its own.
    expect(new Set(errors).size).toBe(3);
  }
  expect(requests).toHaveLength(2);
});

test('without a key, concurrent callers share neither a URL nor a failure, because cookies may differ', async () => {
  const account = new AsyncLocalStorage<string>();
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    const name = account.getStore();
    return name === 'carol'
      ? json({ detail: 'Memory not found' }, { status: 404 })
      : json(sampleMemory({ audio_url: `https://media.example.com/${name}` }));
  };
  const client = createClient({ fetch, auth: 'none' });
  const ask = (name: string) => account.run(name, () => client.mediaUrl('mem_1', 'audio'));
  const [alice, bob, carol, dora] = await Promise.all([ask('alice'), ask('bob'), rejection(ask('carol')), ask('dora')]);
  expect([alice, bob, dora].map((media) => media?.url.slice(26))).toEqual(['alice', 'bob', 'dora']);
  expect(carol).toMatchObject({ code: 'not_found' });
  expect((await ask('erin'))?.url).toContain('erin');
  expect(requests).toHaveLength(5);
});

test('without a key, an abort ends only the request of its caller', async () => {
  const answer = Promise.withResolvers<Response>();
  const { fetch, requests } = stubFetch(never, () => answer.promise);
  const client = createClient({ fetch, auth: 'none' });
  const controller = new AbortController();
  const first = rejection(client.mediaUrl('mem_1', 'audio', { signal: controller.signal }));
  const second = client.mediaUrl('mem_1', 'audio');
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  controller.abort('Gone.');
  expect(await first).toBe('Gone.');
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  answer.resolve(json(sampleMemory({ audio_url: 'https://media.example.com/a' })));
  expect(await second).toMatchObject({ url: 'https://media.example.com/a' });
});

test('in a server with many accounts, each request gets the URL of its account', async () => {
  const account = new AsyncLocalStorage<string>();
  const { fetch, requests } = createApi();
  const client = createClient({ fetch, apiKey: async () => account.getStore() ?? 'none' });
  const keys = Array.from({ length: 300 }, (_, index) => `sk_${index % 7}`);
  const urls = await Promise.all(keys.map((key) => account.run(key, () => client.mediaUrl('mem_1', 'audio'))));
  expect(urls.map((media) => media?.url.split('/')[3]?.replace(/Bearer(%20| )/, ''))).toEqual(keys);
  expect(requests).toHaveLength(7);
});

test('caches no URL with auth none or with headers of the call, because the account may change', async () => {
  const { fetch, requests } = createApi();
  const none = createClient({ fetch, auth: 'none' });
  await none.mediaUrl('mem_1', 'audio');
  await none.mediaUrl('mem_1', 'audio');
  expect(requests).toHaveLength(2);
  const client = createClient({ fetch });
  const first = await client.mediaUrl('mem_1', 'audio', { headers: { 'x-session': 'alice' } });
  const second = await client.mediaUrl('mem_1', 'audio', { headers: { 'x-session': 'bob' } });
  const third = await client.mediaUrl('mem_1', 'audio');
  expect(new Set([first, second, third].map((media) => media?.url)).size).toBe(3);
  expect(await client.mediaUrl('mem_1', 'audio', { headers: { 'x-session': 'bob' } })).not.toEqual(third);
  expect(await client.mediaUrl('mem_1', 'audio', { headers: {} })).toEqual(third);
});

test('caches no URL for more than an hour, whatever its expiry and the clock', async () => {
  const uptime = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const { fetch, requests } = createApi({ audio_url: 'https://media.example.com/a?expires=4000000000' });
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  uptime.mockReturnValue(1_000 + 55 * 60_000);
  await client.mediaUrl('mem_1', 'audio');
  expect(requests).toHaveLength(1);
  uptime.mockReturnValue(1_001 + 55 * 60_000);
  await client.mediaUrl('mem_1', 'audio');
  uptime.mockRestore();
  expect(requests).toHaveLength(2);
});

test('rejects with the error of the apiKey function', async () => {
  const vaultIsClosed = new Error('The vault is closed.');
  const client = createClient({ fetch: createApi().fetch, apiKey: () => Promise.reject(vaultIsClosed) });
  expect(await rejection(client.mediaUrl('mem_1', 'audio'))).toBe(vaultIsClosed);
});

test('a timeout and an abort end a call whose apiKey function never returns', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch, apiKey: () => new Promise(() => {}) });
  expect(await rejection(client.mediaUrl('mem_1', 'audio', { timeout: 5 }))).toMatchObject({
    code: 'timeout',
    timeoutMs: 5,
  });
  const unlimited = { timeout: false, totalTimeout: 6 } as const;
  expect(await rejection(client.mediaUrl('mem_1', 'audio', unlimited))).toMatchObject({ timeoutMs: 6 });
  const controller = new AbortController();
  const endless = { timeout: false, totalTimeout: false, signal: controller.signal } as const;
  const call = rejection(client.mediaUrl('mem_1', 'audio', endless));
  controller.abort('Gone.');
  expect(await call).toBe('Gone.');
  expect(requests).toHaveLength(0);
});

/** Returns the rejection of a call with a total timeout of 100 ms, and its time by the fake clock. */
async function rejectionInAll(options: MemoryClientOptions, before = async (_client: MemoryClient) => {}) {
  vi.useFakeTimers({ now: startedAt });
  const client = createClient({ totalTimeout: 100, ...options });
  const earlier = before(client);
  const begunAt = performance.now();
  const rejected = rejection(client.mediaUrl('mem_1', 'audio')).then((error) => ({
    error,
    after: performance.now() - begunAt,
  }));
  await vi.advanceTimersByTimeAsync(1_000);
  await earlier;
  return rejected;
}
const after = <Value>(milliseconds: number, value: Value) =>
  new Promise<Value>((resolve) => setTimeout(resolve, milliseconds, value));
const inAll = { error: { code: 'timeout', limit: 'total', timeoutMs: 100 }, after: 100 };

test('the total timeout ends a call whose apiKey function is slow, even if the timeout is longer', async () => {
  expect(await rejectionInAll({ apiKey: () => new Promise(() => {}) })).toMatchObject(inAll);
});

test('the total timeout covers the apiKey function and the request together', async () => {
  expect(await rejectionInAll({ fetch: never, apiKey: () => after(40, 'sk_1') })).toMatchObject(inAll);
});

test('if the apiKey function takes the whole total timeout, no request is sent', async () => {
  const uptime = vi.spyOn(performance, 'now');
  const { fetch, requests } = createApi();
  const apiKey = () => {
    const now = performance.now();
    uptime.mockReturnValue(now + 100);
    return 'sk_1';
  };
  const error = await rejection(createClient({ fetch, apiKey, totalTimeout: 100 }).mediaUrl('mem_1', 'audio'));
  uptime.mockRestore();
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 100 });
  expect(requests).toHaveLength(0);
});

test('the total timeout includes the wait for a request that turns out to use another key', async () => {
  // Both calls get sk_1, but the request of the first one is sent with sk_2.
  const keys = ['sk_1', 'sk_1', 'sk_2', 'sk_1'];
  const fetch = () => after(60, json(sampleMemory()));
  const apiKey = () => keys.shift() ?? 'none';
  const another = async (client: MemoryClient) => void (await client.mediaUrl('mem_1', 'audio'));
  expect(await rejectionInAll({ fetch, apiKey }, another)).toMatchObject(inAll);
});

/** Returns the result of a call, and its time by the fake clock. */
async function ending(call: Promise<unknown>) {
  const begunAt = performance.now();
  const [result] = await Promise.allSettled([call]);
  return { ...result, after: performance.now() - begunAt };
}

test('a caller that joins a request has its own total timeout', async () => {
  vi.useFakeTimers({ now: startedAt });
  const { fetch, requests } = stubFetch(never);
  const client = createClient({ fetch, totalTimeout: 250 });
  const first = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(100);
  const second = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toMatchObject({ reason: { code: 'timeout', limit: 'total', timeoutMs: 250 }, after: 250 });
  expect(await second).toMatchObject({ reason: { code: 'timeout', limit: 'total', timeoutMs: 250 }, after: 250 });
  expect([requests.length, vi.getTimerCount()]).toEqual([2, 0]);
});

test('a caller whose joined request times out sends its own request in the time that is left', async () => {
  vi.useFakeTimers({ now: startedAt });
  const { fetch, requests } = stubFetch(never, () =>
    after(190, json(sampleMemory({ audio_url: 'https://media.example.com/a' }))),
  );
  const client = createClient({ fetch, totalTimeout: 250 });
  const first = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(200);
  const second = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toMatchObject({ reason: { code: 'timeout' }, after: 250 });
  expect(await second).toMatchObject({ value: { url: 'https://media.example.com/a' }, after: 240 });
  expect([requests.length, vi.getTimerCount()]).toEqual([2, 0]);
});

test('a caller that started before the joined request ends with its own total timeout', async () => {
  vi.useFakeTimers({ now: startedAt });
  const { fetch, requests } = stubFetch(() => after(200, json(sampleMemory())));
  const delays = [60, 0];
  const client = createClient({ fetch, totalTimeout: 230, apiKey: () => after(delays.shift() ?? 0, 'sk_1') });
  const slow = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(50);
  const quick = ending(client.mediaUrl('mem_1', 'audio'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await slow).toMatchObject({ reason: { code: 'timeout', limit: 'total', timeoutMs: 230 }, after: 230 });
  expect(await quick).toMatchObject({ status: 'fulfilled' });
  expect([requests.length, vi.getTimerCount()]).toEqual([1, 0]);
});

test('a caller that joins a request does not get a rejection of the apiKey function of another call', async () => {
  const gone = new DOMException('The request of the first caller is over.', 'AbortError');
  const { fetch } = createApi();
  // Both calls get sk_1, then the function fails for the first one.
  const apiKey = vi.fn(async () => 'sk_1');
  apiKey.mockResolvedValueOnce('sk_1').mockResolvedValueOnce('sk_1').mockRejectedValueOnce(gone);
  const client = createClient({ fetch, apiKey });
  const first = rejection(client.mediaUrl('mem_1', 'audio'));
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_1');
  expect(await first).toBe(gone);
});

test('a signal that is aborted already rejects the call, even if the URL is cached', async () => {
  const client = createClient({ fetch: createApi().fetch });
  await client.mediaUrl('mem_1', 'audio');
  expect(await rejection(client.mediaUrl('mem_1', 'audio', { signal: AbortSignal.abort('Gone.') }))).toBe('Gone.');
});

test.each<[string, string, string, object]>([
  ['minimumLifetime is 0', 'mem_1', 'audio', { minimumLifetime: 0 }],
  ['the option "minimumlifetime"', 'mem_1', 'audio', { minimumlifetime: 1 }],
  ['retries is -1', 'mem_1', 'audio', { retries: -1 }],
  ['kind is an unknown text', 'mem_1', 'image', {}],
  ['get a memory', '', 'audio', {}],
])('rejects %s before any request', async (problem, id, kind, options) => {
  const { fetch, requests } = createApi();
  const error = await rejection(createClient({ fetch }).mediaUrl(id, kind as 'audio', options));
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(requests).toHaveLength(0);
});

test('inspecting a client shows neither cached URLs nor the key', async () => {
  const client = createClient({ fetch: createApi().fetch });
  await client.mediaUrl('mem_1', 'audio');
  const shown = inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client);
  expect(shown).not.toMatch(/sk_1|media\.example/);
});
