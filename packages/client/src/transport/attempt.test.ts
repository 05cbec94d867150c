import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import ky from 'ky';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions } from '../index.ts';
import { openServer } from '../testing/http-server.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, stalledBody, stubFetch } from '../testing/stub-fetch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', ...options });
}

/** Returns the rejection of a call, and its time by the fake clock. */
async function rejectionAfter(promise: Promise<unknown>, milliseconds: number) {
  const settled = rejection(promise).then((error) => ({ error, after: performance.now() - start }));
  const start = performance.now();
  await vi.advanceTimersByTimeAsync(milliseconds);
  return settled;
}

test.each([
  ['no headers come', never],
  ['the body stalls', stalledBody],
])('an attempt ends at its timeout where %s', async (_title, answer) => {
  const client = createClient({ fetch: stubFetch(answer).fetch, timeout: 400, retries: 0 });
  const { error, after } = await rejectionAfter(client.listMemories(), 400);
  expect(error).toMatchObject({ name: 'RequestTimeoutError', code: 'timeout', limit: 'attempt', timeoutMs: 400 });
  expect((error as Error).cause).toBeUndefined();
  expect(after).toBe(400);
  expect(vi.getTimerCount()).toBe(0);
});

test('the timeout covers headers and body together', async () => {
  const slow = async (request: Request) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return request.signal.aborted ? never(request) : stalledBody();
  };
  const client = createClient({ fetch: stubFetch(slow).fetch, timeout: 400, retries: 0 });
  expect((await rejectionAfter(client.listMemories(), 800)).after).toBe(400);
});

test('the timeout covers an apiKey function that never returns', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const client = createClient({ fetch, apiKey: () => new Promise(() => {}), timeout: 400, retries: 0 });
  expect((await rejectionAfter(client.listMemories(), 400)).error).toMatchObject({ code: 'timeout' });
  expect(requests).toHaveLength(0);
});

test('does not send a key that arrives after the timeout', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const apiKey = () => new Promise<string>((resolve) => setTimeout(resolve, 500, 'sk_late'));
  await rejectionAfter(createClient({ fetch, apiKey, timeout: 400, retries: 0 }).listMemories(), 1000);
  expect(requests).toHaveLength(0);
});

test('a fetch that ignores its signal does not exceed the timeout', async () => {
  const client = createClient({ fetch: () => new Promise(() => {}), timeout: 400, retries: 0 });
  expect((await rejectionAfter(client.listMemories(), 400)).after).toBe(400);
  expect(vi.getTimerCount()).toBe(0);
});

test('reports no late response of a fetch that ignores its signal to hooks', async () => {
  const onResponse = vi.fn();
  const fetch = () => new Promise<Response>((resolve) => setTimeout(resolve, 500, json([])));
  const client = createClient({ fetch, timeout: 400, retries: 0, hooks: { onResponse } });
  const { error } = await rejectionAfter(client.listMemories(), 1000);
  expect(error).toMatchObject({ code: 'timeout' });
  expect(onResponse).not.toHaveBeenCalled();
});

test('does not use a late key for the next attempt', async () => {
  const { fetch, requests } = stubFetch(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return json(sampleMemory({ audio_url: 'https://media.example.com/audio' }));
  });
  const slowly = () => new Promise<string>((resolve) => setTimeout(resolve, 1000, 'sk_late'));
  const keys = ['sk_1', slowly(), 'sk_2'];
  const client = createClient({ fetch, apiKey: () => keys.shift() ?? 'sk_2', timeout: 900, retries: 1 });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const url = client.mediaUrl('mem_1', 'audio');
  await vi.advanceTimersByTimeAsync(2000);
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(await url);
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sk_2']);
});

test('a failed attempt aborts its own request, and not the next one', async () => {
  const { fetch, requests } = stubFetch(
    () => new Promise(() => {}),
    json({ detail: 'Memory not found' }, { status: 404 }),
  );
  const failed = rejection(createClient({ fetch, timeout: 400 }).getMemory('mem_1'));
  await vi.advanceTimersByTimeAsync(400 + 300);
  expect(await failed).toMatchObject({ code: 'not_found' });
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

/** As in React Native, where a response has no streams. */
const withoutStreams = (text: () => Promise<string>) =>
  ({ status: 200, headers: new Headers(), body: undefined, text }) as unknown as Response;

test('reads a body without a stream as a whole', async () => {
  expect(await createClient({ fetch: () => withoutStreams(async () => '[]') }).listMemories()).toEqual([]);
});

test('a body without a stream that stalls ends at the timeout', async () => {
  const fetch = () => withoutStreams(() => new Promise(() => {}));
  const { error, after } = await rejectionAfter(createClient({ fetch, timeout: 400, retries: 0 }).listMemories(), 400);
  expect(error).toMatchObject({ code: 'timeout' });
  expect(after).toBe(400);
});

test('cancels the body if the timeout passes after the headers', async () => {
  const cancel = vi.fn();
  const fetch = () => new Response(new ReadableStream({ cancel }));
  const client = createClient({ fetch, timeout: 400, retries: 0 });
  const { error, after } = await rejectionAfter(client.listMemories(), 400);
  expect(error).toMatchObject({ code: 'timeout' });
  expect(after).toBe(400);
  expect(cancel).toHaveBeenCalledOnce();
});

test.each(['timeout', 'abort'])('cancels a response that arrives after the %s', async (end) => {
  const cancel = vi.fn();
  const late = new Response(new ReadableStream({ cancel }));
  const fetch = () => new Promise<Response>((resolve) => setTimeout(resolve, 500, late));
  const aborting = new AbortController();
  const list = createClient({ fetch, timeout: 400, retries: 0 }).listMemories({ signal: aborting.signal });
  if (end === 'abort') setTimeout(() => aborting.abort(), 300);
  await rejectionAfter(list, 499);
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(cancel).toHaveBeenCalledOnce();
});

test('retries an attempt that timed out', async () => {
  const { fetch, requests } = stubFetch(never, json([]));
  const list = createClient({ fetch, timeout: 400 }).listMemories();
  await vi.advanceTimersByTimeAsync(400 + 300);
  expect(await list).toEqual([]);
  expect(requests).toHaveLength(2);
});

test('the total timeout ends a call during an attempt, with the last real failure as its cause', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const client = createClient({
    fetch: stubFetch(json({ detail: 'No.' }, { status: 500 }), never).fetch,
    totalTimeout: 1000,
  });
  const { error, after } = await rejectionAfter(client.listMemories(), 1000);
  expect(error).toMatchObject({
    code: 'timeout',
    limit: 'total',
    timeoutMs: 1000,
    request: { attempts: 2 },
    cause: { code: 'server', detail: 'No.' },
  });
  expect(after).toBe(1000);
});

test('parsing and validation count towards the total timeout', async () => {
  vi.spyOn(JSON, 'parse').mockImplementation(() => {
    vi.advanceTimersByTime(1000);
    return [];
  });
  const client = createClient({ fetch: stubFetch(json([])).fetch, totalTimeout: 1000 });
  const error = await rejection(client.listMemories());
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 1000 });
});

test('timeouts are not the cause of a timeout', async () => {
  const { fetch, requests } = stubFetch(never);
  const { error } = await rejectionAfter(createClient({ fetch, timeout: 100 }).listMemories(), 10_000);
  expect(error).toMatchObject({ code: 'timeout', limit: 'attempt', request: { attempts: 3 } });
  expect((error as Error).cause).toBeUndefined();
  expect(requests).toHaveLength(3);
});

test('timeout false and totalTimeout false set no timer', async () => {
  const client = createClient({ fetch: stubFetch(never).fetch, timeout: false, totalTimeout: false });
  const aborting = new AbortController();
  const list = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  aborting.abort();
  await list;
});

test('the timeouts of a call take precedence over those of the client', async () => {
  const client = createClient({ fetch: stubFetch(never).fetch, timeout: 10_000, retries: 5 });
  const { after } = await rejectionAfter(client.listMemories({ timeout: 50, retries: 0 }), 100);
  expect(after).toBe(50);
});

const stalledError = (status: number) => async () => new Response((await stalledBody()).body, { status });

test.each([401, 404, 422, 403, 302])('a %i whose body stalls times out and is retried', async (status) => {
  const { fetch, requests } = stubFetch(stalledError(status));
  const client = createClient({ fetch, timeout: 400, retries: 1 });
  expect((await rejectionAfter(client.getMemory('mem_1'), 1200)).error).toMatchObject({ code: 'timeout' });
  expect(requests).toHaveLength(2);
});

test.each([408, 429, 500, 503])('a %i whose body stalls keeps its error', async (status) => {
  const client = createClient({ fetch: stubFetch(stalledError(status)).fetch, timeout: 400, retries: 0 });
  const { error } = await rejectionAfter(client.listMemories(), 400);
  expect(error).toMatchObject({ status, detail: undefined });
});

test('if a custom fetch throws a TypeError, the error says what a fetch must accept', async () => {
  const fetch = stubFetch(new TypeError('Failed to parse URL from [object Request]')).fetch;
  const error = await rejection(createClient({ fetch, retries: 0 }).listMemories());
  expect(error).toMatchObject({
    code: 'connection',
    message: expect.stringContaining('the fetch option accepts a Request'),
  });
});

test.each(['Headers', 'Body', 'Connect'])('the %s timeout of undici names the setting to increase', async (name) => {
  const fault = Object.assign(new Error('Timeout'), { code: `UND_ERR_${name.toUpperCase()}_TIMEOUT` });
  const fetch = stubFetch(new TypeError('fetch failed', { cause: fault })).fetch;
  const error = await rejection(createClient({ fetch, retries: 0 }).listMemories());
  const message = expect.stringContaining(`or raise ${name.toLowerCase()}Timeout of the undici Agent`);
  expect(error).toMatchObject({ code: 'connection', message });
});

test('a timeout of the fetch itself is a connection failure', async () => {
  const slow = () => new Promise<Response>(() => {});
  const fetch = (request: Request) => ky(request, { fetch: slow, timeout: 34, retry: 0 });
  const client = createClient({ fetch: fetch as typeof globalThis.fetch, retries: 0 });
  const { error, after } = await rejectionAfter(client.listMemories(), 34);
  expect(error).toMatchObject({
    code: 'connection',
    message: expect.stringContaining('the connection to api.example.com:443 failed'),
  });
  expect(after).toBe(34);
});

test('accepts a fetch that returns a response instead of a promise', async () => {
  expect(await createClient({ fetch: () => json([]) }).listMemories()).toEqual([]);
});

test('Response.error() is a connection failure', async () => {
  const client = createClient({ fetch: async () => Response.error(), retries: 0 });
  expect(await rejection(client.listMemories())).toMatchObject({ code: 'connection' });
});

test.each([undefined, null, 'text', { message: Object.create(null) }, { message: Symbol('x'), cause: 7 }])(
  'a fetch that rejects with %o is a ConnectionError',
  async (reason) => {
    const client = createClient({ fetch: () => Promise.reject(reason), retries: 0 });
    expect(await rejection(client.listMemories())).toMatchObject({ name: 'ConnectionError' });
  },
);

test('on a real connection, a stalled body ends at the timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using server = await openServer(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100, 'x-request-id': 'req_1' }).write('[');
    }),
  );
  const begun = Promise.withResolvers<void>();
  const hooks = { onResponse: () => begun.resolve() };
  const failed = rejection(createClient({ baseUrl: server.url, timeout: 400, retries: 0, hooks }).listMemories());
  await begun.promise;
  await vi.advanceTimersByTimeAsync(400);
  expect(await failed).toMatchObject({ code: 'timeout', limit: 'attempt', requestId: 'req_1' });
});

test('on a real connection, a cut body is a ConnectionError', async () => {
  vi.useRealTimers();
  await using server = await openServer(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('[', () => response.destroy());
    }),
  );
  const error = await rejection(createClient({ baseUrl: server.url, retries: 0 }).listMemories());
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection' });
  expect((error as Error).message).toContain('before the body was complete');
});

test('on a real connection, a refused connection is a ConnectionError with its code', async () => {
  vi.useRealTimers();
  const closed = await openServer(createServer(() => {}));
  await closed[Symbol.asyncDispose]();
  const error = await rejection(createClient({ baseUrl: closed.url, retries: 0 }).listMemories());
  expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining('(ECONNREFUSED)') });
});

test.each([
  ['timeout', { timeout: 300 }],
  ['totalTimeout', { totalTimeout: 300 }],
])('if the key does not arrive within %s, the error says so', async (option, limits) => {
  const { fetch, requests } = stubFetch(json([]));
  const client = createClient({ fetch, apiKey: () => new Promise(() => {}), retries: 0, ...limits });
  const { error } = await rejectionAfter(client.listMemories(), 300);
  expect(error).toMatchObject({
    code: 'timeout',
    message: `Failed to list memories: the apiKey function returned no key within 300 ms. Raise ${option} if that is too short.`,
  });
  expect(requests).toHaveLength(0);
});

const headers = new Headers();
const bodyOf = (chunk: unknown) => new ReadableStream<unknown>({ start: (controller) => controller.enqueue(chunk) });

/** What a `fetch` option returns by mistake, and how the error names it. */
const misuses: [misuse: string, returned: () => unknown][] = [
  ['undefined, which is not a Response', () => undefined],
  ['null, which is not a Response', () => null],
  ['a string, which is not a Response', () => 'TRANSCRIPT'],
  ['an object, which is not a Response', () => ({ statusCode: 200, headers, body: bodyOf('x') })],
  ['an object, which is not a Response', () => ({ status: '200', headers, text: async () => '[]' })],
  ['an object, which is not a Response', () => ({ status: 200, headers, data: [] })],
  ['an object, which is not a Response', () => ({ status: 200, headers, body: Readable.from(['[]']) })],
  ['an object, which is not a Response', () => ({ status: 200, headers, body: '["TRANSCRIPT"]' })],
  ['a body of type string instead of bytes', () => ({ status: 200, headers, body: bodyOf('TRANSCRIPT') })],
  [
    'a Response whose body was already read',
    async () => {
      const response = json([]);
      await response.text();
      return response;
    },
  ],
  [
    'a Response whose body was already read',
    () => {
      const response = json([]);
      response.body?.getReader();
      return response;
    },
  ],
];

test.each(misuses)(
  'a fetch option that returns %s is a ConfigurationError after one request',
  async (misuse, answer) => {
    const fetch = vi.fn(async () => (await answer()) as Response);
    const error = (await rejection(createClient({ fetch }).listMemories())) as Error;
    expect(error).toMatchObject({ code: 'configuration', option: 'fetch', request: { attempts: 1 } });
    expect(error.message).toMatch(
      /^Failed to list memories: fetch returned .*\. Return a new Response for each request\.$/,
    );
    expect(error.message).toContain(misuse);
    expect(error.message).not.toContain('TRANSCRIPT');
    expect(fetch).toHaveBeenCalledOnce();
  },
);

test.each(misuses)('a fetch option that returns %s for the storage is a ConfigurationError', async (misuse, answer) => {
  const memory = sampleMemory({ audio_url: 'https://media.example.com/audio' });
  const fetch = vi.fn(async ({ url }: Request) =>
    url.startsWith('https://media') ? ((await answer()) as Response) : json(memory),
  );
  const open = async () => {
    const { body } = await createClient({ fetch }).openMedia('mem_1', 'audio');
    await body.getReader().read();
  };
  const error = (await rejection(open())) as Error;
  expect(error).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect(error.message).toContain(`Failed to download the audio of memory "mem_1": fetch returned ${misuse}`);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test.each(['message', 'code', 'cause'])('wraps an error whose %s cannot be read', async (name) => {
  const fault = Object.defineProperty(new Error('x'), name, {
    get() {
      throw new Error('raw sk_test');
    },
  });
  const error = await rejection(createClient({ fetch: stubFetch(fault).fetch, retries: 0 }).listMemories());
  expect(error).toMatchObject({ name: 'ConnectionError' });
  expect(`${error} ${(error as Error).cause}`).not.toContain('sk_test');
});
