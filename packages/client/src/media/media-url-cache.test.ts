import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import type { MediaUrlOptions, MemoryClient, MemoryClientOptions } from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stubClient } from '../testing/stub-fetch.ts';

const startedAt = new Date('2026-11-20T12:00:00.000Z');

useFakeTimers({ now: startedAt, toFake: ['Date'] });

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
const ask = (client: MemoryClient, options?: MediaUrlOptions) => client.mediaUrl('mem_1', 'audio', options);
const at = 'https://media.example.com/a';
const memoryAt = (audio_url: string | null = at) => json(sampleMemory({ audio_url }));
const notFound = () => json({ detail: 'Memory not found' }, { status: 404 });

const createClient = (answers: StubAnswer | readonly StubAnswer[], options?: MemoryClientOptions) =>
  stubClient(answers, { apiKey: 'sk_1', retries: 0, ...options });

/** A client of an API whose URLs contain the key and the number of the request, and expire after an hour. */
function createApi(changes: Record<string, unknown> = {}, options: MemoryClientOptions = {}) {
  const api: ReturnType<typeof createClient> = createClient(async (request) => {
    const id = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '');
    const url = `https://media.example.com/${request.headers.get('authorization')}/${api.requests.length}`;
    const expires = Date.now() / 1000 + 3600;
    return json(sampleMemory({ id, audio_url: `${url}?expires=${expires}`, video_url: url, ...changes }));
  }, options);
  return api;
}

test('returns a URL with its expiry by the local clock, as a Date that the caller may change', async () => {
  const { client } = createApi();
  const url = `https://media.example.com/Bearer sk_1/1?expires=${startedAt.getTime() / 1000 + 3600}`;
  for (let call = 0; call < 2; call += 1) {
    const media = await ask(client);
    expect(media).toEqual({ url, expiresAt: new Date('2026-11-20T13:00:00Z') });
    media?.expiresAt.setTime(0);
  }
});

test.each<[string, number, MediaUrlOptions, number]>([
  ['until five minutes before it expires', 55, {}, 1],
  ['not later', 55.01, {}, 2],
  ['while it has its minimumLifetime', 10, { minimumLifetime: 50 * 60_000 }, 1],
  ['not with less', 10, { minimumLifetime: 50 * 60_000 + 1 }, 2],
])('caches a URL %s', async (_title, minutes, options, sent) => {
  const { client, requests } = createApi();
  const first = await ask(client);
  passMinutes(minutes);
  const second = await ask(client, options);
  expect([requests.length, second?.url === first?.url]).toEqual([sent, sent === 1]);
});

test('reads again with fresh, shares the request with others of this kind only, and caches the URL', async () => {
  const { client, requests } = createApi();
  const [first, second, third] = await Promise.all(
    [{}, { fresh: true }, { fresh: true }].map((one) => ask(client, one)),
  );
  expect(second?.url).not.toBe(first?.url);
  expect(third).toEqual(second);
  expect(requests).toHaveLength(2);
  expect((await ask(client, { fresh: true }))?.url).not.toBe(second?.url);
  await ask(client);
  expect(requests).toHaveLength(3);
});

test.each([
  [403, 1],
  [404, 1],
  [451, 0],
])('after the storage has answered %d to openMedia, a cached URL costs %d requests', async (status, cost) => {
  const isApi = ({ url }: Request) => url.startsWith('https://api');
  const both = () => json(sampleMemory({ audio_url: at, video_url: at }));
  const { client, requests } = createClient(async (request) =>
    isApi(request) ? both() : new Response('x', { status }),
  );
  const costs: number[] = [];
  const kinds = ['audio', 'video'] as const;
  for (const kind of kinds) await client.mediaUrl('mem_1', kind);
  await rejection(client.openMedia('mem_1', 'audio'));
  for (const kind of kinds.toReversed()) {
    const before = requests.length;
    await client.mediaUrl('mem_1', kind);
    costs.push(requests.length - before);
  }
  expect(costs).toEqual([0, cost]);
});

test('returns a fresh URL even if its lifetime is short', async () => {
  const { client } = createApi({ audio_url: `${at}?expires=100000000` });
  expect(await ask(client, { minimumLifetime: 7_200_000 })).toMatchObject({ expiresAt: new Date(1e11) });
});

test('caches the URLs of memories and kinds separately', async () => {
  const { client, requests } = createApi();
  for (const kind of ['audio', 'video'] as const)
    for (const id of ['mem_1', 'mem_1', 'mem_2', 'mem_2']) await client.mediaUrl(id, kind);
  expect(requests.map(({ url }) => url.slice(-5))).toEqual(['mem_1', 'mem_2', 'mem_1', 'mem_2']);
});

test('caches neither a failure nor that a memory has no media, which removes the previous URL', async () => {
  const { client, requests } = createClient([json({}, { status: 500 }), memoryAt(), memoryAt(null)]);
  expect(await rejection(ask(client))).toMatchObject({ code: 'server' });
  expect(await ask(client)).toMatchObject({ url: at });
  expect(await ask(client, { minimumLifetime: 7_200_000 })).toBeNull();
  expect(await ask(client)).toBeNull();
  expect(requests).toHaveLength(4);
});

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/plain,hi',
  'FILE:///etc/passwd',
  'blob:https://a/b',
])('never returns a URL such as %j', async (url) => {
  const { client } = createApi({ audio_url: url }, { validation: 'off' });
  expect(await rejection(ask(client))).toMatchObject({
    ...{ code: 'invalid_response', reason: 'structure' },
    ...{ request: { method: 'GET', attempts: 1 }, responseHeaders: { 'content-type': 'application/json' } },
  });
});

test.each(['https://media.example.com/a:b', 'HTTP://media.example.com/', '/media/a?b=c:d', '//media.example.com/a'])(
  'returns a URL such as %s unchanged',
  async (url) => {
    expect(await ask(createApi({ audio_url: url }).client)).toMatchObject({ url });
  },
);

test('caches 1,000 URLs, and removes the oldest first', async () => {
  const { client, requests } = createApi();
  for (let number = 0; number < 1_001; number += 1) await client.mediaUrl(`mem_${number}`, 'audio');
  await ask(client);
  expect(requests).toHaveLength(1_001);
  await client.mediaUrl('mem_0', 'audio');
  expect(requests).toHaveLength(1_002);
});

test.each<[string, MemoryClientOptions, boolean[]]>([
  ['with a key, an abort of one caller ends neither the request nor the other calls', {}, [false]],
  ['without a key, an abort ends only the request of its caller', { auth: 'none', apiKey: undefined }, [true, false]],
])('%s', async (_title, options, aborted) => {
  const answer = Promise.withResolvers<Response>();
  const { client, requests } = createClient(async () => (await answer.promise).clone(), options);
  const controller = new AbortController();
  const first = rejection(ask(client, { signal: controller.signal }));
  const others = [ask(client)];
  if (aborted.length === 1) others.push(ask(client));
  await vi.waitFor(() => expect(requests).toHaveLength(aborted.length));
  controller.abort('Gone.');
  expect(await first).toBe('Gone.');
  expect(requests.map(({ signal }) => signal.aborted)).toEqual(aborted);
  answer.resolve(memoryAt());
  for (const other of await Promise.all(others)) expect(other).toMatchObject({ url: at });
});

test('after all callers have aborted, which ends their request, the next ones share a new one', async () => {
  const answer = Promise.withResolvers<Response>();
  const { client, requests } = createClient([never, () => answer.promise]);
  const controller = new AbortController();
  const first = rejection(ask(client, { signal: controller.signal }));
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  controller.abort('Gone.');
  expect(await first).toBe('Gone.');
  expect(requests[0]?.signal.aborted).toBe(true);
  const [second, third] = [ask(client), ask(client)];
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  answer.resolve(memoryAt());
  expect(await second).toMatchObject({ url: at });
  expect(await third).toEqual(await second);
  expect(requests).toHaveLength(2);
});

test('callers with other timeouts or headers do not share a request', async () => {
  const { client, requests } = createApi();
  const options = [{}, { timeout: 5_000 }, { headers: { 'x-team': 'red' } }, { minimumLifetime: 1 }];
  await Promise.all(options.map((one) => ask(client, one)));
  expect(requests).toHaveLength(3);
});

test('calls an apiKey function for each look-up, and caches the URLs of each key separately', async () => {
  let key = 'sk_1';
  const apiKey = vi.fn(async () => key);
  const { client, requests } = createApi({}, { apiKey });
  const first = await ask(client);
  expect(await ask(client)).toEqual(first);
  expect([apiKey.mock.calls.length, requests.length]).toEqual([3, 1]);
  key = 'sk_2';
  expect((await ask(client))?.url).toContain('sk_2');
  key = 'sk_1';
  expect(await ask(client)).toEqual(first);
});

/** An apiKey function that returns these keys, or the last one. */
const keysInTurn =
  (...keys: string[]) =>
  () =>
    (keys.length > 1 ? keys.shift() : keys[0]) as string;
/** Two calls at once get sk_1, but the request of the first one is sent with sk_2. */
const changingKey = () => keysInTurn('sk_1', 'sk_1', 'sk_2', 'sk_1');

test('caches a response under the key that its request was sent with', async () => {
  const { client } = createApi({}, { apiKey: keysInTurn('sk_1', 'sk_2', 'sk_1', 'sk_1', 'sk_2') });
  for (const expected of ['sk_2/1', 'sk_1/2', 'sk_2/1']) expect((await ask(client))?.url).toContain(expected);
});

test('never returns the URL or the failure of another account, even if the apiKey function changes its key', async () => {
  const { client } = createApi({}, { apiKey: changingKey() });
  const [, second] = await Promise.all([ask(client), ask(client)]);
  expect(second?.url).toContain('sk_1');

  const isFirst = ({ headers }: Request) => headers.get('authorization') === 'Bearer sk_1';
  const failing = createClient(async (request) => (isFirst(request) ? memoryAt() : notFound()), {
    apiKey: changingKey(),
  });
  const first = rejection(ask(failing.client));
  expect(await ask(failing.client)).toMatchObject({ url: at });
  expect(await first).toMatchObject({ code: 'not_found' });
});

test('concurrent callers with one key share one request, and its failure too', async () => {
  for (const apiKey of ['sk_1', () => 'sk_1']) {
    const shared = createApi({}, { apiKey });
    const urls = await Promise.all([1, 2, 3].map(() => ask(shared.client)));
    expect([new Set(urls.map((media) => media?.url)).size, shared.requests.length]).toEqual([1, 1]);
    const { client, requests } = createClient(notFound(), { apiKey });
    const errors = await Promise.all([1, 2, 3].map(() => rejection(ask(client))));
    expect(errors.map((error) => JSON.stringify(error))).toEqual(errors.map(() => JSON.stringify(errors[0])));
    // Each caller has an error with frames of its own.
    expect([new Set(errors).size, requests.length]).toEqual([3, 1]);
  }
});

test('without a key, concurrent callers share neither a URL nor a failure, because cookies may differ', async () => {
  const account = new AsyncLocalStorage<string>();
  const answer = async () => (account.getStore() === 'carol' ? notFound() : memoryAt(`${at}/${account.getStore()}`));
  const { client, requests } = createClient(answer, { auth: 'none', apiKey: undefined });
  const askAs = (name: string) => account.run(name, () => ask(client));
  const [alice, bob, carol] = await Promise.all([askAs('alice'), askAs('bob'), rejection(askAs('carol'))]);
  expect([alice, bob, await askAs('erin')].map((media) => media?.url)).toEqual(
    ['alice', 'bob', 'erin'].map((name) => `${at}/${name}`),
  );
  expect(carol).toMatchObject({ code: 'not_found' });
  expect(requests).toHaveLength(4);
});

test('caches no URL with auth none or with headers of the call, because the account may change', async () => {
  const none = createApi({}, { auth: 'none', apiKey: undefined });
  for (let call = 0; call < 2; call += 1) await ask(none.client);
  expect(none.requests).toHaveLength(2);
  const { client } = createApi();
  const urls: (string | undefined)[] = [];
  for (const headers of [{ 'x-session': 'alice' }, { 'x-session': 'bob' }, undefined, { 'x-session': 'bob' }])
    urls.push((await ask(client, headers && { headers }))?.url);
  expect(new Set(urls).size).toBe(4);
  expect((await ask(client, { headers: {} }))?.url).toBe(urls[2]);
});

test('caches no URL for more than an hour, whatever its expiry and the clock', async () => {
  const uptime = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const { client, requests } = createApi({ audio_url: `${at}?expires=4000000000` });
  const sent: number[] = [];
  for (const time of [1_000, 1_000 + 55 * 60_000, 1_001 + 55 * 60_000]) {
    uptime.mockReturnValue(time);
    await ask(client);
    sent.push(requests.length);
  }
  expect(sent).toEqual([1, 1, 2]);
});

test('a timeout and an abort end a call whose apiKey function never returns', async () => {
  const { client, requests } = createApi({}, { apiKey: () => new Promise(() => {}) });
  expect(await rejection(ask(client, { timeout: 5 }))).toMatchObject({ code: 'timeout', timeoutMs: 5 });
  const unlimited = { timeout: false, totalTimeout: 6 } as const;
  expect(await rejection(ask(client, unlimited))).toMatchObject({ timeoutMs: 6 });
  const controller = new AbortController();
  const call = rejection(ask(client, { timeout: false, totalTimeout: false, signal: controller.signal }));
  controller.abort('Gone.');
  expect(await call).toBe('Gone.');
  expect(requests).toHaveLength(0);
});

const after = <Value>(milliseconds: number, value: Value) =>
  new Promise<Value>((resolve) => setTimeout(resolve, milliseconds, value));

const over = { status: 'rejected', reason: { code: 'timeout', limit: 'total' } };

const delayed =
  (...delays: number[]) =>
  () =>
    after(delays.shift() ?? 0, 'sk_1');

interface Timing {
  readonly calledAt: readonly number[];
  readonly answers: readonly StubAnswer[];
  readonly options: MemoryClientOptions;
  /** How each call ends, and after how many milliseconds. */
  readonly ends: readonly object[];
  readonly sent: number;
}

test.each<[string, Timing]>(
  Object.entries({
    'ends a call whose apiKey function is slow, even if the timeout is longer': {
      ...{ calledAt: [0], answers: [never], options: { totalTimeout: 100, apiKey: () => new Promise(() => {}) } },
      ...{ ends: [{ ...over, after: 100 }], sent: 0 },
    },
    'covers the apiKey function and the request together': {
      ...{ calledAt: [0], answers: [never], options: { totalTimeout: 100, apiKey: delayed(40, 40) } },
      ...{ ends: [{ ...over, after: 100 }], sent: 1 },
    },
    'includes the wait for a request that turns out to use another key': {
      ...{ calledAt: [0, 0], answers: [() => after(60, memoryAt())], sent: 2 },
      options: { totalTimeout: 100, apiKey: changingKey() },
      ends: [{ value: { url: at } }, { ...over, after: 100 }],
    },
    'is its own for a caller that joins a request': {
      ...{ calledAt: [0, 100], answers: [never], options: { totalTimeout: 250 }, sent: 2 },
      ends: [over, over].map((end) => ({ ...end, after: 250 })),
    },
    'leaves a caller whose joined request times out a request of its own': {
      ...{ calledAt: [0, 200], answers: [never, () => after(190, memoryAt())], sent: 2 },
      options: { totalTimeout: 250 },
      ends: [
        { ...over, after: 250 },
        { value: { url: at }, after: 240 },
      ],
    },
    'is its own for a caller that started before the request that it joins': {
      ...{ calledAt: [0, 50], answers: [() => after(200, memoryAt())], sent: 1 },
      options: { totalTimeout: 230, apiKey: delayed(60, 0) },
      ends: [{ ...over, after: 230 }, { value: { url: at } }],
    },
  }),
)('the total timeout %s', async (_title, { calledAt, answers, options, ends, sent }) => {
  vi.useFakeTimers({ now: startedAt });
  const { client, requests } = createClient(answers, options);
  const begin = async (time: number) => {
    if (time > 0) await after(time, undefined);
    const begunAt = performance.now();
    const [ended] = await Promise.allSettled([ask(client)]);
    return { ...ended, after: performance.now() - begunAt };
  };
  const calls = Promise.all(calledAt.map(begin));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await calls).toMatchObject(ends);
  expect([requests.length, vi.getTimerCount()]).toEqual([sent, 0]);
});

test('if the apiKey function takes the whole total timeout, no request is sent', async () => {
  const uptime = vi.spyOn(performance, 'now');
  const apiKey = () => {
    const now = performance.now();
    uptime.mockReturnValue(now + 100);
    return 'sk_1';
  };
  const { client, requests } = createApi({}, { apiKey, totalTimeout: 100 });
  const error = await rejection(ask(client));
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 100 });
  expect(requests).toHaveLength(0);
});

test('a caller that joins a request does not get a rejection of the apiKey function of another call', async () => {
  const gone = new DOMException('The request of the first caller is over.', 'AbortError');
  // Both calls get sk_1, then the function fails for the first one.
  const apiKey = vi.fn(async () => 'sk_1');
  apiKey.mockResolvedValueOnce('sk_1').mockResolvedValueOnce('sk_1').mockRejectedValueOnce(gone);
  const { client } = createApi({}, { apiKey });
  const first = rejection(ask(client));
  expect((await ask(client))?.url).toContain('sk_1');
  expect(await first).toBe(gone);
});

test('a signal that is aborted already rejects the call, even if the URL is cached', async () => {
  const { client } = createApi();
  await ask(client);
  expect(await rejection(ask(client, { signal: AbortSignal.abort('Gone.') }))).toBe('Gone.');
});

test.each<[string, string, string, object]>([
  ['minimumLifetime is 0', 'mem_1', 'audio', { minimumLifetime: 0 }],
  ['kind is an unknown text', 'mem_1', 'image', {}],
  ['get a memory', '', 'audio', {}],
])('rejects %s before any request', async (problem, id, kind, options) => {
  const { client, requests } = createApi();
  const error = await rejection(client.mediaUrl(id, kind as 'audio', options));
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(requests).toHaveLength(0);
});

test('inspecting a client shows neither cached URLs nor the key', async () => {
  const { client } = createApi();
  await ask(client);
  const shown = inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client);
  expect(shown).not.toMatch(/sk_1|media\.example/);
});
