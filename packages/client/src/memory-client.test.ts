import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions, type MemoryWatch, responseInfo } from './index.ts';
import { rejection } from './testing/rejection.ts';
import { json, stubFetch } from './testing/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const baseUrl = 'https://api.example.com';

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl, apiKey: 'sk_test', retries: 0, ...options });
}

test('each attempt is one GET request for JSON, without redirects and without a query', async () => {
  const globalFetch = vi.spyOn(globalThis, 'fetch');
  const failure = json({}, { status: 503, headers: { 'retry-after': '0' } });
  const fetch = vi.fn(stubFetch(failure, failure, json([])).fetch);
  const { signal } = new AbortController();
  const client = createClient({ fetch, retries: 2, headers: { 'X-Team': 'blue', 'X-Place': 'there' } });
  await client.listMemories({ signal, headers: { 'x-place': 'here' } });
  expect(fetch.mock.calls.map((parameters) => parameters.length)).toEqual([1, 1, 1]);
  for (const [request] of fetch.mock.calls) {
    expect(request).toBeInstanceOf(Request);
    expect(request).toMatchObject({ method: 'GET', redirect: 'manual', url: `${baseUrl}/v1/memories` });
    expect(Object.fromEntries((request as Request).headers)).toEqual({
      accept: 'application/json',
      authorization: 'Bearer sk_test',
      'user-agent': expect.stringMatching(/^memory-read-client\/\d+\.\d+\.\d+/),
      'x-place': 'here',
      'x-team': 'blue',
    });
  }
  expect(globalFetch).not.toHaveBeenCalled();
  globalFetch.mockRestore();
});

test.each([
  ['bearer', 'authorization', 'Bearer sk_test'],
  ['x-api-key', 'x-api-key', 'sk_test'],
] as const)('auth %s sends the key in exactly one header', async (auth, header, value) => {
  const { fetch, requests } = stubFetch(json([]));
  await createClient({ fetch, auth }).listMemories();
  const sent = [...(requests[0]?.headers ?? [])].filter(([, text]) => text.includes('sk_test'));
  expect(sent).toEqual([[header, value]]);
});

test('auth none sends no key even if one is set', async () => {
  const { fetch, requests } = stubFetch(json([]));
  await createClient({ fetch, auth: 'none' }).listMemories();
  expect([...(requests[0]?.headers ?? [])].join()).not.toContain('sk_test');
});

test.each([
  ['https://example.com/gateway', 'https://example.com/gateway/v1/memories'],
  ['https://example.com/gateway/', 'https://example.com/gateway/v1/memories'],
  [new URL('https://example.com'), 'https://example.com/v1/memories'],
])('the base URL %s reaches %s', async (base, url) => {
  const { fetch, requests } = stubFetch(json([]));
  await createClient({ fetch, baseUrl: base }).listMemories();
  expect(requests[0]?.url).toBe(url);
});

test.each(['/', '/api/'])(
  'a child of a client with the base URL %s sends requests to the same URL',
  async (relative) => {
    vi.stubGlobal('location', { href: 'https://app.example.com/page?x=1#y' });
    const { fetch, requests } = stubFetch(json([]));
    const client = new MemoryClient({ baseUrl: relative, auth: 'none', fetch });
    await client.withOptions({ retries: 0 }).listMemories();
    expect(requests[0]?.url).toBe(`https://app.example.com${relative}v1/memories`);
  },
);

test.each([
  undefined,
  'about:blank',
  'about:srcdoc',
  'blob:https://example.com/1',
  'data:text/html,x',
  'file:///index.html',
])('a relative base URL on the page %s rejects before any request', async (href) => {
  vi.stubGlobal('location', href && { href });
  const { fetch, requests } = stubFetch(json([]));
  const error = await rejection(new MemoryClient({ baseUrl: '/api', auth: 'none', fetch }).listMemories());
  expect(error).toMatchObject({ code: 'configuration' });
  expect(requests).toHaveLength(0);
});

test('neither sends nor shows the credentials of a page', async () => {
  vi.stubGlobal('location', { href: 'https://user:PRIVATE@app.example.com/page' });
  const { fetch, requests } = stubFetch(json({}, { status: 500 }));
  const error = await rejection(new MemoryClient({ baseUrl: '/', auth: 'none', retries: 0, fetch }).listMemories());
  expect(requests[0]?.url).toBe('https://app.example.com/v1/memories');
  expect(error).toMatchObject({ request: { url: 'https://app.example.com/v1/memories' } });
});

test('looks up the global fetch for each request, so that a mock can be installed later', async () => {
  const client = createClient({});
  const { fetch, requests } = stubFetch(json([]));
  vi.stubGlobal('fetch', fetch);
  await client.listMemories();
  expect(requests).toHaveLength(1);
});

test('withOptions changes only the given options', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const child = createClient({ fetch, headers: { 'x-team': 'blue' } }).withOptions({
    apiKey: 'sk_other',
    headers: undefined,
  });
  await child.listMemories();
  expect(requests[0]?.url).toBe(`${baseUrl}/v1/memories`);
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer sk_other');
  expect(requests[0]?.headers.get('x-team')).toBe('blue');
});

test('withOptions replaces headers and hooks as a whole', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const onEnd = vi.fn();
  const parent = createClient({ fetch, headers: { 'x-team': 'blue' }, hooks: { onEnd } });
  await parent.withOptions({ headers: { 'x-place': 'here' }, hooks: {} }).listMemories();
  expect(requests[0]?.headers.has('x-team')).toBe(false);
  expect(requests[0]?.headers.get('x-place')).toBe('here');
  expect(onEnd).not.toHaveBeenCalled();
});

test('responseInfo describes the response of a list and of each memory in it', async () => {
  const headers = { 'x-request-id': 'req_1', date: 'Fri, 20 Nov 2026 10:00:00 GMT' };
  const list = await createClient({
    fetch: stubFetch(json([sampleListedMemory()], { headers })).fetch,
  }).listMemories();
  const info = responseInfo(list);
  expect(info).toMatchObject({ status: 200, requestId: 'req_1', attempts: 1, receivedAt: expect.any(Date) });
  expect(info?.serverDate).toEqual(new Date('2026-11-20T10:00:00Z'));
  expect(info?.headers.get('x-request-id')).toBe('req_1');
  expect(responseInfo(list[0] as object)).toBe(info);
  expect(responseInfo(structuredClone(list))).toBeUndefined();
});

test('responseInfo counts the attempts of a call', async () => {
  const { fetch } = stubFetch(json({}, { status: 503, headers: { 'retry-after': '0' } }), json(sampleMemory()));
  const memory = await createClient({ fetch, retries: 1 }).getMemory('mem_1');
  expect(responseInfo(memory)?.attempts).toBe(2);
});

test.each<[string, unknown[]]>([
  ['listMemories', []],
  ['getMemory', ['mem_1']],
  ['waitForMemory', ['mem_1']],
  ['mediaUrl', ['mem_1', 'audio']],
  ['openMedia', ['mem_1', 'audio']],
  ['withOptions', [{}]],
])('%s without its client is a ConfigurationError that names it', async (name, given) => {
  const client = createClient({});
  const method: (...given: unknown[]) => unknown = Reflect.get(client, name);
  for (const self of [undefined, null, 7, {}, new Proxy(client, {})]) {
    const error = await rejection((async () => method.apply(self, given))());
    expect(error).toMatchObject({ code: 'configuration' });
    expect(String(error)).toContain(
      `Failed to call ${name}: it got no client of this copy of the package. Call it as client.${name}(), or pass a client itself`,
    );
  }
});

test.each<string>(['waitForMemories', 'watchMemories'])(
  'an iteration of %s without its client fails at next()',
  async (name) => {
    const method: (...given: unknown[]) => AsyncIterable<unknown> & Partial<MemoryWatch> = Reflect.get(
      createClient({}),
      name,
    );
    const callWithoutClient = () => method.call(undefined, ...(name === 'waitForMemories' ? [['mem_1']] : []));
    const iterable = callWithoutClient();
    const error = (await rejection(iterable[Symbol.asyncIterator]().next())) as Error;
    expect(error).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(`Failed to call ${name}: `),
    });
    expect(error.stack).toContain('callWithoutClient');
    await iterable.close?.();
  },
);
