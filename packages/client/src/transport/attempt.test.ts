import { Readable } from 'node:stream';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import ky from 'ky';
import { expect, test, vi } from 'vitest';
import type { MemoryClient, MemoryClientOptions } from '../index.ts';
import { everyCall } from '../testing/every-call.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stalledBody, stubClient } from '../testing/stub-fetch.ts';

useFakeTimers();

const timeout = 400;
const stalled = () => new Promise<never>(() => {});
const later = <Value>(milliseconds: number, value: Value) =>
  new Promise<Value>((resolve) => setTimeout(resolve, milliseconds, value));

/** Lists memories until 1.2 s have passed. Returns the error, its time by the fake clock, and the requests. */
async function failing(answers: StubAnswer | StubAnswer[], options: MemoryClientOptions = {}, signal?: AbortSignal) {
  const { client, requests } = stubClient(answers, { timeout, retries: 0, ...options });
  const start = performance.now();
  const settled = rejection(client.listMemories({ signal })).then((error) => {
    return { error: error as Error, after: performance.now() - start, requests };
  });
  await vi.advanceTimersByTimeAsync(1_200);
  return settled;
}

/** As in React Native, where a response has no streams. */
const withoutStreams = (text: () => unknown) =>
  ({ status: 200, headers: new Headers(), body: undefined, text }) as unknown as Response;

test.each<[string, StubAnswer | MemoryClientOptions['fetch']]>([
  ['no headers come', never],
  ['the body stalls', stalledBody],
  ['headers and a stalled body take longer together', () => later(300, undefined).then(stalledBody)],
  ['a fetch ignores its signal', stalled],
  ['a body without a stream stalls', async () => withoutStreams(stalled)],
])('an attempt ends at its timeout where %s', async (_title, answer) => {
  const { error, after } = await failing(answer as StubAnswer);
  expect(error).toMatchObject({ name: 'RequestTimeoutError', code: 'timeout', limit: 'attempt', timeoutMs: 400 });
  expect([error.cause, after, vi.getTimerCount()]).toEqual([undefined, 400, 0]);
});

test.each([
  ['timeout', { timeout: 300 }],
  ['totalTimeout', { totalTimeout: 300 }],
])('if the key does not arrive within %s, the error says so, and nothing is sent', async (option, limits) => {
  for (const apiKey of [stalled, () => later(500, 'sk_late')]) {
    const { error, after, requests } = await failing(json([]), { apiKey, ...limits });
    expect(error).toMatchObject({
      code: 'timeout',
      message: `Failed to list memories: the apiKey function returned no key within 300 ms. Raise ${option} if that is too short.`,
    });
    expect([after, requests]).toEqual([300, []]);
  }
});

test('reports no late response of a fetch that ignores its signal to hooks', async () => {
  const onResponse = vi.fn();
  const { error } = await failing(() => later(500, json([])), { hooks: { onResponse } });
  expect(error).toMatchObject({ code: 'timeout' });
  expect(onResponse).not.toHaveBeenCalled();
});

test('does not use a late key for the next attempt', async () => {
  const answer = async () => later(200, json(sampleMemory({ audio_url: 'https://media.example.com/audio' })));
  const keys = ['sk_1', later(1000, 'sk_late'), 'sk_2'];
  const options = { apiKey: () => keys.shift() ?? 'sk_2', timeout: 900, retries: 1 };
  const { client, requests } = stubClient(answer, options);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const url = client.mediaUrl('mem_1', 'audio');
  await vi.advanceTimersByTimeAsync(2000);
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(await url);
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sk_2']);
});

test('a failed attempt aborts its own request, and not the next one', async () => {
  const answers = [stalled, json({ detail: 'No.' }, { status: 403 })];
  const { error, requests } = await failing(answers, { retries: 2 });
  expect(error).toMatchObject({ status: 403 });
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
});

test('a successful call leaves no timer, does not abort its request, and reads a body without a stream', async () => {
  const { client, requests } = stubClient(json([]));
  await client.listMemories();
  expect([vi.getTimerCount(), requests[0]?.signal.aborted]).toEqual([0, false]);
  const read = stubClient([], { fetch: () => withoutStreams(async () => '[]') }).client;
  expect(await read.listMemories()).toEqual([]);
});

test.each<[string, number, UnderlyingDefaultSource['pull']]>([
  ['a body that the timeout ends', 200, undefined],
  ['a body that is too large', 404, (controller) => controller.enqueue(new Uint8Array(1024 * 1024))],
])('cancels %s, and aborts its request', async (_title, status, pull) => {
  const cancel = vi.fn();
  const source = pull === undefined ? { cancel } : { pull, cancel };
  const { requests } = await failing(async () => new Response(new ReadableStream(source), { status }));
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(cancel).toHaveBeenCalledOnce();
});

test.each(['timeout', 'abort'])('cancels a response that arrives after the %s', async (end) => {
  const cancel = vi.fn();
  const aborting = new AbortController();
  if (end === 'abort') setTimeout(() => aborting.abort(), 300);
  setTimeout(() => expect(cancel).not.toHaveBeenCalled(), 499);
  await failing(() => later(500, new Response(new ReadableStream({ cancel }))), {}, aborting.signal);
  expect(cancel).toHaveBeenCalledOnce();
});

test('the total timeout ends a call during an attempt, with the last real failure as its cause', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const answers = [json({ detail: 'No.' }, { status: 500 }), never];
  const { error, after } = await failing(answers, { timeout: 30_000, totalTimeout: 1000, retries: 2 });
  expect(error).toMatchObject({
    ...{ code: 'timeout', limit: 'total', timeoutMs: 1000, request: { attempts: 2 } },
    cause: { code: 'server', detail: 'No.' },
  });
  expect(after).toBe(1000);
});

test('parsing and validation count towards the total timeout', async () => {
  vi.spyOn(JSON, 'parse').mockImplementation(() => {
    vi.advanceTimersByTime(1000);
    return [];
  });
  const { error } = await failing(json([]), { totalTimeout: 1000 });
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 1000 });
});

test('timeouts are not the cause of a timeout', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { error, requests } = await failing(never, { timeout: 100, retries: 2 });
  expect(error).toMatchObject({ code: 'timeout', limit: 'attempt', request: { attempts: 3 } });
  expect([error.cause, requests.length]).toEqual([undefined, 3]);
});

test('timeout false and totalTimeout false set no timer, and those of a call take precedence', async () => {
  const { client } = stubClient(never, { timeout: false, totalTimeout: false });
  const aborting = new AbortController();
  const list = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  aborting.abort('Enough.');
  expect(await list).toBe('Enough.');
  const late = rejection(client.listMemories({ timeout: 50, retries: 0 }));
  await vi.advanceTimersByTimeAsync(50);
  expect(await late).toMatchObject({ timeoutMs: 50 });
});

const stalledError = (status: number) => async () => new Response((await stalledBody()).body, { status });

test.each([401, 404, 422, 403, 302])('a %i whose body stalls times out and is retried', async (status) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { error, requests } = await failing(stalledError(status), { retries: 1 });
  expect(error).toMatchObject({ code: 'timeout' });
  expect(requests).toHaveLength(2);
});

test.each([408, 429, 500, 503])('a %i whose body stalls keeps its error', async (status) => {
  const { error, after } = await failing(stalledError(status));
  expect(error).toMatchObject({ status, detail: undefined });
  expect(after).toBe(400);
});

const fault = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
const slowFetch = (request: Request) => ky(request, { fetch: stalled, timeout: 34, retry: 0 });

test.each<[string, StubAnswer, string]>([
  ['a TypeError', new TypeError('Failed to parse URL'), 'that the fetch option accepts a Request of this runtime.'],
  ['a TypeError without a code', new TypeError('undefined is not an object'), ' failed (undefined is not an object). '],
  ['the Headers timeout of undici', fault('UND_ERR_HEADERS_TIMEOUT'), 'or raise headersTimeout of the undici Agent'],
  ['the Body timeout of undici', fault('UND_ERR_BODY_TIMEOUT'), 'or raise bodyTimeout of the undici Agent'],
  ['the Connect timeout of undici', fault('UND_ERR_CONNECT_TIMEOUT'), 'or raise connectTimeout of the undici Agent'],
  ['its own timeout', slowFetch, 'the connection to api.example.com:443 failed'],
  ['Response.error()', async () => Response.error(), 'the connection to api.example.com:443 failed'],
  ...[undefined, null, 'text', { message: Object.create(null) }, { message: Symbol('x'), cause: 7 }].map(
    (reason): [string, StubAnswer, string] => [String(typeof reason), () => Promise.reject(reason), ' failed. Check '],
  ),
])('a fetch option that fails with %s is a ConnectionError', async (_title, answer, message) => {
  const { error } = await failing(answer, { timeout: 1_000 });
  expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining(message) });
});

test.each(['message', 'code', 'cause'])('wraps an error whose %s cannot be read', async (name) => {
  const unreadable = Object.defineProperty(new Error('x'), name, {
    get() {
      throw new Error('raw sk_test');
    },
  });
  const { error } = await failing(unreadable);
  expect(error).toMatchObject({ name: 'ConnectionError' });
  expect(`${error} ${error.cause}`).not.toContain('sk_test');
});

const headers = new Headers();
const bodyOf = (chunk: unknown) => new ReadableStream<unknown>({ start: (controller) => controller.enqueue(chunk) });
const anObject = 'an object, which is not a Response';
const wasRead = 'a Response whose body was already read';

/** What a `fetch` option returns by mistake, and how the error names it. */
const misuses: [misuse: string, returned: () => unknown][] = [
  ['undefined, which is not a Response', () => undefined],
  ['null, which is not a Response', () => null],
  ['a string, which is not a Response', () => 'TRANSCRIPT'],
  [anObject, () => ({ statusCode: 200, headers, body: bodyOf('x') })],
  [anObject, () => ({ status: '200', headers, text: async () => '[]' })],
  [anObject, () => ({ status: 200, headers, data: [] })],
  [anObject, () => ({ status: 200, headers, body: Readable.from(['[]']) })],
  [anObject, () => ({ status: 200, headers, body: '["TRANSCRIPT"]' })],
  ['a body of type string instead of bytes', () => ({ status: 200, headers, body: bodyOf('TRANSCRIPT') })],
  [
    wasRead,
    async () => {
      const response = json([]);
      await response.text();
      return response;
    },
  ],
  [
    wasRead,
    () => {
      const response = json([]);
      response.body?.getReader();
      return response;
    },
  ],
];

test.each(misuses)(
  'a fetch option that returns %s, also for the storage, is a ConfigurationError',
  async (misuse, answer) => {
    const memory = sampleMemory({ audio_url: 'https://media.example.com/audio' });
    const misused = async () => (await answer()) as Response;
    const open = async ({ client }: { client: MemoryClient }) => {
      const { body } = await client.openMedia('mem_1', 'audio');
      await body.getReader().read();
    };
    for (const [action, answers, read, context] of [
      ['list memories', [misused], ({ client }) => client.listMemories(), { request: { attempts: 1 } }],
      ['download the audio of memory "mem_1"', [json(memory), misused], open, {}],
    ] as [string, StubAnswer[], typeof open, object][]) {
      const stub = stubClient(answers);
      const error = (await rejection(read(stub))) as Error;
      expect(error).toMatchObject({ code: 'configuration', option: 'fetch', ...context });
      expect(error.message).toContain(`Failed to ${action}: fetch returned ${misuse}`);
      expect(error.message).toMatch(/\. Return a new Response for each request\.$/);
      expect(error.message).not.toContain('TRANSCRIPT');
      expect(stub.requests).toHaveLength(answers.length);
    }
  },
);

// If several causes apply, the order is: the caller's abort, the apiKey function, the status, the timeout, the
// connection.

const reason = new Error('The user left.');
const keyError = new Error('No key today.');
const passTimeout = () => void vi.advanceTimersByTime(timeout);
const failKey = () => {
  throw keyError;
};
const failConnection = () => {
  throw new TypeError('fetch failed');
};
/** Runs steps, of which the last one throws. */
const inTurn =
  (...steps: (() => void)[]) =>
  (): never => {
    for (const step of steps) step();
    throw new Error('No step has thrown.');
  };
const brokenBody = (status: number) => async () =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }), { status });

test.each<[string, (abort: () => void) => MemoryClientOptions]>([
  ['the apiKey function rejects', (abort) => ({ apiKey: inTurn(abort, failKey) })],
  ['the timeout passes', (abort) => ({ fetch: inTurn(passTimeout, abort, failConnection) })],
  ['the connection fails', (abort) => ({ fetch: inTurn(abort, failConnection) })],
  ['a 503 breaks off', (abort) => ({ fetch: brokenBody(503), hooks: { onResponse: abort } })],
])('an abort by the caller takes precedence, even if %s at the same time', async (_title, optionsFor) => {
  const aborting = new AbortController();
  const { error } = await failing(
    [],
    optionsFor(() => aborting.abort(reason)),
    aborting.signal,
  );
  expect(error).toBe(reason);
});

test.each<[string, MemoryClientOptions, object]>([
  [
    'a temporary status, over a timeout and a cut body',
    { fetch: brokenBody(503), hooks: { onResponse: passTimeout } },
    { code: 'server', status: 503 },
  ],
  ['a temporary status, over a cut body', { fetch: brokenBody(503) }, { code: 'server', status: 503 }],
  ['a cut body, over another status', { fetch: brokenBody(404) }, { code: 'connection', reason: 'cut' }],
  [
    'a timeout, over a connection failure',
    { fetch: () => withoutStreams(inTurn(passTimeout, failConnection)) },
    { code: 'timeout', limit: 'attempt' },
  ],
])('the error is that of %s', async (_title, options, expected) => {
  expect((await failing([], options)).error).toMatchObject(expected);
});

test('a rejection of the apiKey function takes precedence over a timeout', async () => {
  expect((await failing([], { apiKey: inTurn(passTimeout, failKey) })).error).toBe(keyError);
});

test('only the request that is sent contains the key, not the one that errors of ky contain', async () => {
  const created: Request[] = [];
  class WatchedRequest extends Request {
    constructor(...parameters: ConstructorParameters<typeof Request>) {
      super(...parameters);
      created.push(this);
    }
  }
  vi.stubGlobal('Request', WatchedRequest);
  const { requests } = await failing(never);
  expect(requests).toHaveLength(1);
  expect(created.length).toBeGreaterThan(1);
  expect(created.filter(({ headers }) => headers.has('authorization'))).toEqual(requests);
});

test.each([
  ['ReferenceError: zzz is not defined', new ReferenceError('zzz is not defined')],
  ['SyntaxError: sk_test', new SyntaxError('sk_test')],
  ['RangeError: out of range', new RangeError('out of range')],
  ['TypeError: Invalid URL', Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })],
])('a mistake in the fetch option is not retried, and is named: %s', async (shown, mistake) => {
  for (const name of ['listMemories', 'waitForMemory', 'watchMemories', 'mediaUrl'] as const) {
    const { client, requests } = stubClient(mistake);
    const error = await rejection(everyCall[name](client));
    expect(error).toMatchObject({ code: 'configuration', option: 'fetch', cause: { message: expect.any(String) } });
    expect(String(error)).toContain(
      `: fetch threw ${shown.replace('sk_test', '[redacted]')}. Correct the fetch option.`,
    );
    expect(requests).toHaveLength(1);
  }
});
