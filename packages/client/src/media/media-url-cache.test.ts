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

/** An API whose URLs tell by whom they were asked for, and live for an hour. */
function createApi(changes: Record<string, unknown> = {}) {
  const api = stubFetch(async (request) => {
    const url = `https://media.example.com/${request.headers.get('authorization')}/${api.requests.length}`;
    return json(
      sampleMemory({ audio_url: `${url}?expires=${Date.now() / 1000 + 3600}`, video_url: `${url}`, ...changes }),
    );
  });
  return api;
}

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_1', retries: 0, ...options });
}

test('a URL comes with its expiry by the local clock', async () => {
  const { fetch } = createApi();
  expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio')).toEqual({
    url: `https://media.example.com/Bearer sk_1/1?expires=${startedAt.getTime() / 1000 + 3600}`,
    expiresAt: new Date('2026-11-20T13:00:00Z'),
  });
});

test('a URL is remembered while it lives for five more minutes', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  const first = await client.mediaUrl('mem_1', 'audio');
  passMinutes(55);
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(first);
  passMinutes(0.01);
  expect(await client.mediaUrl('mem_1', 'audio')).not.toEqual(first);
  expect(requests).toHaveLength(2);
});

test('minimumLifetime says how long a remembered URL must live', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  passMinutes(10);
  await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 50 * 60_000 });
  expect(requests).toHaveLength(1);
  await client.mediaUrl('mem_1', 'audio', { minimumLifetime: 50 * 60_000 + 1 });
  expect(requests).toHaveLength(2);
});

test('a fresh URL is returned however short it lives', async () => {
  const { fetch } = createApi({ audio_url: 'https://media.example.com/a?expires=100000000' });
  const options = { minimumLifetime: 7_200_000 };
  expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio', options)).toMatchObject({
    expiresAt: new Date(1e11),
  });
});

test('memories and kinds have URLs of their own', async () => {
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

test('that there is no media is never remembered, and forgets the URL of before', async () => {
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
])('a URL such as %j is never given out', async (url) => {
  const { fetch } = createApi({ audio_url: url });
  expect(await rejection(createClient({ fetch, validation: 'off' }).mediaUrl('mem_1', 'audio'))).toMatchObject({
    code: 'invalid_response',
    reason: 'structure',
  });
});

test.each(['https://media.example.com/a:b', 'HTTP://media.example.com/', '/media/a?b=c:d', '//media.example.com/a'])(
  'a URL such as %s is given out as it is',
  async (url) => {
    const { fetch } = createApi({ audio_url: url });
    expect(await createClient({ fetch }).mediaUrl('mem_1', 'audio')).toMatchObject({ url });
  },
);

test('a changed Date changes nothing that is remembered', async () => {
  const client = createClient({ fetch: createApi().fetch });
  const first = await client.mediaUrl('mem_1', 'audio');
  first?.expiresAt.setTime(0);
  expect((await client.mediaUrl('mem_1', 'audio'))?.expiresAt).toEqual(new Date('2026-11-20T13:00:00Z'));
});

test('1,000 URLs are remembered; the oldest goes first', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  for (let number = 0; number < 1_001; number += 1) await client.mediaUrl(`mem_${number}`, 'audio');
  await client.mediaUrl('mem_1', 'audio');
  expect(requests).toHaveLength(1_001);
  await client.mediaUrl('mem_0', 'audio');
  expect(requests).toHaveLength(1_002);
});

test('callers at one time share one request, and each kind has its own', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  const urls = await Promise.all([1, 2, 3].map(() => client.mediaUrl('mem_1', 'audio')));
  expect(new Set(urls.map((media) => media?.url)).size).toBe(1);
  expect(requests).toHaveLength(1);
});

test("one caller's abort ends neither the request nor the others; the last one's does", async () => {
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

test('after an abort of all, the next caller asks anew', async () => {
  const answer = Promise.withResolvers<Response>();
  const answers: StubAnswer[] = [never, () => answer.promise];
  const { fetch, requests } = stubFetch(...answers);
  const client = createClient({ fetch });
  const controller = new AbortController();
  const first = rejection(client.mediaUrl('mem_1', 'audio', { signal: controller.signal }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  controller.abort();
  const second = client.mediaUrl('mem_1', 'audio');
  await first;
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  const third = client.mediaUrl('mem_1', 'audio');
  answer.resolve(json(sampleMemory({ audio_url: 'https://media.example.com/a' })));
  expect(await second).toMatchObject({ url: 'https://media.example.com/a' });
  expect(await third).toMatchObject({ url: 'https://media.example.com/a' });
  expect(requests).toHaveLength(2);
});

test('whoever has other timeouts or headers waits for a request of their own', async () => {
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

test('a failure is no URL: the next caller asks again', async () => {
  const { fetch, requests } = stubFetch(json({ detail: 'x' }, { status: 500 }), json(sampleMemory()));
  const client = createClient({ fetch });
  expect(await rejection(client.mediaUrl('mem_1', 'audio'))).toMatchObject({ code: 'server' });
  expect(await client.mediaUrl('mem_1', 'audio')).not.toBeNull();
  expect(requests).toHaveLength(2);
});

test('an apiKey function is asked at each look-up, and each key has URLs of its own', async () => {
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

test('what was read with another key than that of the look-up is remembered for that other key', async () => {
  const { fetch } = createApi();
  const keys = ['sk_1', 'sk_2', 'sk_1', 'sk_1', 'sk_2'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'none' });
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_2/1');
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_1/2');
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('sk_2/1');
});

test('nobody is given the URL of another account, whatever the apiKey function does meanwhile', async () => {
  const { fetch } = createApi();
  // Both calls get sk_1, but the request of the first one is sent with sk_2.
  const keys = ['sk_1', 'sk_1', 'sk_2', 'sk_1'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'none' });
  const [, second] = await Promise.all([client.mediaUrl('mem_1', 'audio'), client.mediaUrl('mem_1', 'audio')]);
  expect(second?.url).toContain('sk_1');
});

test('nobody is given the failure of another account either', async () => {
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

test('callers at one time with one key share a failure too', async () => {
  const { fetch, requests } = stubFetch(json({ detail: 'Memory not found' }, { status: 404 }));
  for (const apiKey of ['sk_1', () => 'sk_1']) {
    const client = createClient({ fetch, apiKey });
    const errors = await Promise.all([1, 2, 3].map(() => rejection(client.mediaUrl('mem_1', 'audio'))));
    expect(new Set(errors).size).toBe(1);
  }
  expect(requests).toHaveLength(2);
});

test('without a key, where cookies may tell callers apart, those at one time share neither a URL nor a failure', async () => {
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

test('without a key, an abort ends the request of its own caller alone', async () => {
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

test('in a server of many accounts, each request gets the URL of its own', async () => {
  const account = new AsyncLocalStorage<string>();
  const { fetch, requests } = createApi();
  const client = createClient({ fetch, apiKey: async () => account.getStore() ?? 'none' });
  const keys = Array.from({ length: 300 }, (_, index) => `sk_${index % 7}`);
  const urls = await Promise.all(keys.map((key) => account.run(key, () => client.mediaUrl('mem_1', 'audio'))));
  expect(urls.map((media) => media?.url.split('/')[3]?.replace(/Bearer(%20| )/, ''))).toEqual(keys);
  expect(requests).toHaveLength(7);
});

test('a child remembers nothing of its parent', async () => {
  const { fetch, requests } = createApi();
  const client = createClient({ fetch });
  await client.mediaUrl('mem_1', 'audio');
  await client.withOptions({}).mediaUrl('mem_1', 'audio');
  expect(requests).toHaveLength(2);
});

test('with auth none, whose cookies may change, and with headers of the call, no URL is remembered', async () => {
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

test('no URL is remembered for more than an hour, whatever it says and the clock does', async () => {
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

test('the rejection of an apiKey function passes through', async () => {
  const vaultIsClosed = new Error('The vault is closed.');
  const client = createClient({ fetch: createApi().fetch, apiKey: () => Promise.reject(vaultIsClosed) });
  expect(await rejection(client.mediaUrl('mem_1', 'audio'))).toBe(vaultIsClosed);
});

test('an apiKey function that never returns ends with the timeout, and with an abort', async () => {
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

/** What a call with a total timeout of 100 ms rejects with, and when by the fake clock. */
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

test('the total timeout ends a call whose key does not come, although the timeout is longer', async () => {
  expect(await rejectionInAll({ apiKey: () => new Promise(() => {}) })).toMatchObject(inAll);
});

test('the total timeout covers the look-up of the key together with the reading', async () => {
  expect(await rejectionInAll({ fetch: never, apiKey: () => after(40, 'sk_1') })).toMatchObject(inAll);
});

test('a look-up that takes the whole total timeout leaves nothing for the reading', async () => {
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

test("the total timeout covers another's reading that was waited for in vain", async () => {
  // Both calls get sk_1, but the request of the first one is sent with sk_2.
  const keys = ['sk_1', 'sk_1', 'sk_2', 'sk_1'];
  const fetch = () => after(60, json(sampleMemory()));
  const apiKey = () => keys.shift() ?? 'none';
  const another = async (client: MemoryClient) => void (await client.mediaUrl('mem_1', 'audio'));
  expect(await rejectionInAll({ fetch, apiKey }, another)).toMatchObject(inAll);
});

/** How a call ended, and when by the fake clock. */
async function ending(call: Promise<unknown>) {
  const begunAt = performance.now();
  const [result] = await Promise.allSettled([call]);
  return { ...result, after: performance.now() - begunAt };
}

test('who joins a request has the time of their own total timeout, not what is left of the first', async () => {
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

test('who joins a request that runs out of time reads with the time that is left', async () => {
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

test('who began before the request that they joined ends with their own total timeout', async () => {
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

test("who joins a request is not given what another's apiKey function rejects with", async () => {
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

test('a signal that is aborted already rejects, also where the URL is known', async () => {
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
])('%s is refused before any request', async (problem, id, kind, options) => {
  const { fetch, requests } = createApi();
  const error = await rejection(createClient({ fetch }).mediaUrl(id, kind as 'audio', options));
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(requests).toHaveLength(0);
});

test('a client that remembers URLs shows neither them nor the key', async () => {
  const client = createClient({ fetch: createApi().fetch });
  await client.mediaUrl('mem_1', 'audio');
  const shown = inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client);
  expect(shown).not.toMatch(/sk_1|media\.example/);
});
