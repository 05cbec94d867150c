import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, stubFetch } from '../testing/stub-fetch.ts';

// If several causes apply, the order is: the caller's abort, the apiKey function, the status, the timeout, the
// connection.

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const reason = new Error('The user left.');
const keyError = new Error('No key today.');
const timeout = 400;

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', timeout, retries: 0, ...options });
}

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
const brokenBody = (status: number) =>
  new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    }),
    { status },
  );

test.each<[string, (abort: () => void) => MemoryClientOptions]>([
  ['the apiKey function rejects', (abort) => ({ apiKey: inTurn(abort, failKey) })],
  ['the timeout passes', (abort) => ({ fetch: inTurn(passTimeout, abort, failConnection) })],
  ['the connection fails', (abort) => ({ fetch: inTurn(abort, failConnection) })],
  ['a 503 breaks off', (abort) => ({ fetch: () => brokenBody(503), hooks: { onResponse: abort } })],
])('an abort by the caller takes precedence, even if %s at the same time', async (_title, optionsFor) => {
  const aborting = new AbortController();
  const client = createClient(optionsFor(() => aborting.abort(reason)));
  expect(await rejection(client.listMemories({ signal: aborting.signal }))).toBe(reason);
});

const textThat = (text: () => never) =>
  ({ status: 200, headers: new Headers(), body: null, text }) as unknown as Response;

test.each<[string, MemoryClientOptions, object]>([
  [
    'a temporary status, over a timeout and a cut body',
    { fetch: () => brokenBody(503), hooks: { onResponse: passTimeout } },
    { code: 'server', status: 503 },
  ],
  ['a temporary status, over a cut body', { fetch: () => brokenBody(503) }, { code: 'server', status: 503 }],
  ['a cut body, over another status', { fetch: () => brokenBody(404) }, { code: 'connection' }],
  [
    'a timeout, over a connection failure',
    { fetch: () => textThat(inTurn(passTimeout, failConnection)) },
    { code: 'timeout', limit: 'attempt' },
  ],
])('the error is that of %s', async (_title, options, expected) => {
  expect(await rejection(createClient(options).getMemory('mem_1'))).toMatchObject(expected);
});

test('a rejection of the apiKey function takes precedence over a timeout', async () => {
  const client = createClient({ apiKey: inTurn(passTimeout, failKey) });
  expect(await rejection(client.listMemories())).toBe(keyError);
});

test.each<[string, number, UnderlyingDefaultSource['pull']]>([
  ['a body that the timeout ends', 200, undefined],
  ['a body that is too large', 404, (controller) => controller.enqueue(new Uint8Array(1024 * 1024))],
])('cancels %s, and aborts its request', async (_title, status, pull) => {
  const cancel = vi.fn();
  const source = pull === undefined ? { cancel } : { pull, cancel };
  const { fetch, requests } = stubFetch(async () => new Response(new ReadableStream(source), { status }));
  const failed = rejection(createClient({ fetch }).getMemory('mem_1'));
  await vi.advanceTimersByTimeAsync(timeout);
  await failed;
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(cancel).toHaveBeenCalledOnce();
});

test('a successful call leaves no timer and does not abort its request', async () => {
  const { fetch, requests } = stubFetch(json([]));
  await createClient({ fetch }).listMemories();
  expect(vi.getTimerCount()).toBe(0);
  expect(requests[0]?.signal.aborted).toBe(false);
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
  const { fetch, requests } = stubFetch(never);
  const failed = rejection(createClient({ fetch }).listMemories());
  await vi.advanceTimersByTimeAsync(timeout);
  await failed;
  expect(requests).toHaveLength(1);
  const withKey = created.filter(({ headers }) => headers.has('authorization'));
  expect(created.length).toBeGreaterThan(1);
  expect(withKey).toEqual(requests);
});

test.each([
  ['ReferenceError: zzz is not defined', new ReferenceError('zzz is not defined')],
  ['SyntaxError: sk_test', new SyntaxError('sk_test')],
  ['RangeError: out of range', new RangeError('out of range')],
  ['TypeError: Invalid URL', Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })],
])('a mistake in the fetch option is not retried, and is named: %s', async (shown, mistake) => {
  const fetch = vi.fn(() => Promise.reject(mistake));
  for (const read of [
    (client: MemoryClient) => client.listMemories(),
    (client: MemoryClient) => client.waitForMemory('mem_1'),
    (client: MemoryClient) => client.watchMemories()[Symbol.asyncIterator]().next(),
    (client: MemoryClient) => client.mediaUrl('mem_1', 'audio'),
  ]) {
    fetch.mockClear();
    const error = await rejection(read(createClient({ fetch, retries: 2 })));
    expect(error).toMatchObject({ code: 'configuration', option: 'fetch', cause: { message: expect.any(String) } });
    expect(String(error)).toContain(
      `: fetch threw ${shown.replace('sk_test', '[redacted]')}. Correct the fetch option.`,
    );
    expect(fetch).toHaveBeenCalledTimes(1);
  }
});

test('without a code, a failed connection shows what the fetch option threw', async () => {
  const client = createClient({ fetch: () => Promise.reject(new TypeError('undefined is not an object')) });
  expect(String(await rejection(client.listMemories()))).toContain(' failed (undefined is not an object). ');
});
