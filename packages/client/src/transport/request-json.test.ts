import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { MemoryClientOptions, RetryEvent } from '../index.ts';
import { listMemories } from '../read-memories.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stubFetch } from '../testing/stub-fetch.ts';
import { runtime } from './deadline.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A call with a clock that only its pauses advance, and with fixed random numbers. */
function createTestCall(answers: readonly StubAnswer[], options: MemoryClientOptions = {}, random = 0.5) {
  const { fetch, requests } = stubFetch(...answers);
  const sleeps: number[] = [];
  const retries: RetryEvent[] = [];
  let clock = 0;
  vi.spyOn(runtime, 'uptime').mockImplementation(() => clock);
  vi.spyOn(runtime, 'now').mockReturnValue(new Date('2026-11-20T10:00:00Z'));
  vi.spyOn(runtime, 'random').mockReturnValue(random);
  vi.spyOn(runtime, 'sleep').mockImplementation(async (milliseconds) => {
    sleeps.push(milliseconds);
    clock += milliseconds;
  });
  const advance = (milliseconds: number) => {
    clock += milliseconds;
  };
  const client = createClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'sk_test',
    fetch,
    hooks: { onRetry: (event) => retries.push(event) },
    ...options,
  });
  return { list: () => listMemories(client), requests, sleeps, retries, advance };
}

const failingWith = (status: number, headers: Record<string, string> = {}) =>
  json({ detail: 'No.' }, { status, headers });

function systemError(code: string, message = code): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

/** Lists memories, which fails. Returns the error, and the numbers of requests and pauses. */
async function failing(answer: StubAnswer, options?: MemoryClientOptions) {
  const { list, requests, sleeps } = createTestCall([answer], options);
  return { error: (await rejection(list())) as Error, requests: requests.length, pauses: sleeps.length };
}

test.each([408, 425, 429, 500, 502, 503, 504, 507, 520, 599])(
  'attempts status %i three times by default',
  async (status) => {
    const { error, requests } = await failing(failingWith(status));
    expect(error).toMatchObject({ status, request: { attempts: 3 } });
    expect(requests).toBe(3);
  },
);

test.each([400, 401, 403, 404, 409, 422, 451, 501, 505, 302, 206])('does not retry status %i', async (status) => {
  expect(await failing(failingWith(status))).toMatchObject({ requests: 1, pauses: 0 });
});

// A fault of Bun has a code, but no cause.
const faultOfBun = Object.assign(new Error('Unable to connect.'), { code: 'ConnectionRefused' });

test.each<[string, Error]>([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET'].map((code): [string, Error] => [
    code,
    systemError(code),
  ]),
  ['ConnectionRefused', faultOfBun],
])('retries the network fault %s and names it', async (code, fault) => {
  const { error, requests } = await failing(fault);
  expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining(`(${code})`) });
  expect(error.cause).toMatchObject({ message: fault.message, stack: `Error: ${fault.message}` });
  expect(requests).toBe(3);
});

test.each<[number, Error]>([
  [1, systemError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
  [1, systemError('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames")],
  [1, systemError('CERT_HAS_EXPIRED')],
  [1, systemError('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate')],
  [1, new TypeError('client error (Connect): invalid peer certificate: UnknownIssuer')],
  [1, new TypeError('NotCapable: Requires net access to "h:443", run again with the --allow-net flag')],
  [3, systemError('ENOTFOUND', 'getaddrinfo ENOTFOUND certificate.example.com')],
  [3, systemError('ECONNREFUSED', 'connect ECONNREFUSED my-certificate:443')],
  [3, new TypeError('error sending request for url (https://h.example/certificate/v1/memories): connection refused')],
  [3, new TypeError('error sending request for url (https://certificate:8443/v1/memories): connection refused')],
])(
  'a rejected certificate and a missing permission of Deno are tried once, and a host or path of such a name %i times: %s',
  async (attempts, fault) => {
    const { error, requests } = await failing(fault);
    expect(error).toMatchObject({ name: 'ConnectionError' });
    expect(requests).toBe(attempts);
  },
);

test('retries a cut body', async () => {
  const start = (controller: ReadableStreamDefaultController) => controller.error(new TypeError('terminated'));
  const { error, requests } = await failing(async () => new Response(new ReadableStream({ start })));
  expect(error).toMatchObject({
    name: 'ConnectionError',
    message:
      'Failed to list memories: the connection to api.example.com:443 failed before the body was complete (terminated). Check baseUrl and the network.',
    cause: { message: 'terminated' },
  });
  expect(requests).toBe(3);
});

test.each([0, 1, 5])('retries: %i adds this number of attempts', async (retries) => {
  expect(await failing(failingWith(500), { retries })).toMatchObject({ requests: retries + 1 });
});

test('the backoff is full jitter below 300 ms, doubled each time up to 8 s', async () => {
  const { list, sleeps } = createTestCall([failingWith(500)], { retries: 7, totalTimeout: false }, 0.5);
  await rejection(list());
  expect(sleeps).toEqual([150, 300, 600, 1200, 2400, 4000, 4000]);
});

test('the backoff does not exceed the rest of the total timeout', async () => {
  const { list, sleeps } = createTestCall([failingWith(500)], { retries: 3, totalTimeout: 1000 }, 0.9);
  await rejection(list());
  expect(sleeps.map(Math.round)).toEqual([270, 540, 171]);
});

test.each<[number, string, number]>([
  ...[408, 425, 429, 500, 503].map((status): [number, string, number] => [status, '11', 12_375]),
  [429, 'Fri, 20 Nov 2026 10:00:30 GMT', 33_750],
  [503, 'soon', 150],
  // At most half of the rest of the total timeout is added.
  [503, '118', 118_500],
])('after a %i with Retry-After: %s, the pause is that, extended by up to a quarter', async (status, value, pause) => {
  const { list, sleeps } = createTestCall([failingWith(status, { 'retry-after': value }), json([])]);
  await list();
  expect(sleeps).toEqual([pause]);
});

test.each([
  [429, '120', 120_000],
  [503, '3600', 120_000],
  [429, '2147484', false],
] as const)(
  'a %i with Retry-After: %s and totalTimeout %s is thrown at once',
  async (status, seconds, totalTimeout) => {
    const { error, ...counts } = await failing(failingWith(status, { 'retry-after': seconds }), { totalTimeout });
    expect(error).toMatchObject({ status, retryAfterMs: Number(seconds) * 1000 });
    expect(counts).toEqual({ requests: 1, pauses: 0 });
  },
);

test('a failure after the total timeout is the last', async () => {
  const answer = async () => {
    late.advance(120_000);
    return failingWith(500);
  };
  const late = createTestCall([answer]);
  expect(await rejection(late.list())).toMatchObject({ code: 'server' });
  expect(late.requests).toHaveLength(1);
});

test('does not count an attempt that the total timeout prevents', async () => {
  const { list, requests, advance } = createTestCall([json({}, { status: 500 })], { totalTimeout: 1_000 });
  vi.spyOn(runtime, 'sleep').mockImplementation(async () => advance(5_000));
  const error = await rejection(list());
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', cause: { code: 'server' }, request: { attempts: 1 } });
  expect(requests).toHaveLength(1);
});

test('does not retry once the total timeout has ended an attempt, also if its timer fired early', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { list, requests } = createTestCall([never], { timeout: false, totalTimeout: 100 });
  const failed = rejection(list());
  await vi.advanceTimersByTimeAsync(100);
  expect(await failed).toMatchObject({ code: 'timeout', limit: 'total', request: { attempts: 1 } });
  expect(requests).toHaveLength(1);
});

test('each error counts the attempts so far', async () => {
  const { list, retries } = createTestCall([failingWith(500)]);
  const last = await rejection(list());
  expect([...retries.map(({ error }) => error), last]).toMatchObject(
    [1, 2, 3].map((attempts) => ({ request: { attempts } })),
  );
});

test.each([
  [120, undefined, true],
  [121, undefined, false],
  [60, 59_999, false],
  [3_600, 3_600_000, true],
])('Retry-After: %i with maxRetryAfter %s: another attempt follows: %s', async (seconds, maxRetryAfter, isRetried) => {
  const answers = [failingWith(429, { 'retry-after': String(seconds) }), json([])];
  const { list, requests, sleeps } = createTestCall(answers, { totalTimeout: false, maxRetryAfter });
  const outcome = await list().catch((error: unknown) => error);
  expect(outcome).toMatchObject(isRetried ? [] : { retryAfterMs: seconds * 1_000 });
  expect([requests.length, sleeps.length]).toEqual(isRetried ? [2, 1] : [1, 0]);
});

/** A client whose key function returns one key after the other, the last one again and again. */
function renewingCall(keys: readonly (string | Error)[], answers: readonly StubAnswer[], options = {}) {
  const apiKey = vi.fn(async () => {
    const key = keys[Math.min(apiKey.mock.calls.length, keys.length) - 1] as string | Error;
    if (key instanceof Error) throw key;
    return key;
  });
  const test = createTestCall(answers, { apiKey, ...options });
  const sent = () => test.requests.map(({ headers }) => headers.get('authorization'));
  return { ...test, sent, countKeys: () => apiKey.mock.calls.length };
}

test('after a 401, the apiKey function is called again, and another key is sent at once', async () => {
  const answers = [failingWith(401), failingWith(500), json([])];
  const { list, sent, sleeps, retries, countKeys } = renewingCall(['old', 'new'], answers, { retries: 1 });
  expect(await list()).toEqual([]);
  expect(sent()).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
  // The first one limits the time of the apiKey function.
  expect(sleeps).toEqual([30_000, 150]);
  expect(retries).toMatchObject([{ delay: 0, error: { code: 'authentication' } }, { delay: 150 }]);
  expect(countKeys()).toBe(3);
});

test.each<[string, (string | Error)[], number]>([
  ['the same key', ['old'], 1],
  ['one more key that is refused', ['old', 'new', 'newer'], 2],
])('the 401 remains after %s', async (_title, keys, attempts) => {
  const { list, sent, countKeys } = renewingCall(keys, [failingWith(401)]);
  expect(await rejection(list())).toMatchObject({ code: 'authentication', request: { attempts } });
  expect(sent()).toHaveLength(attempts);
  expect(countKeys()).toBe(2);
});

test('after a 401, what the apiKey function rejects with passes through: the key store fails, and not the key', async () => {
  const closed = new Error('The vault is closed.');
  expect(await rejection(renewingCall(['old', closed], [failingWith(401)]).list())).toBe(closed);
  const invalid = renewingCall(['old', ''], [failingWith(401)]);
  expect(await rejection(invalid.list())).toMatchObject({ code: 'configuration', option: 'apiKey' });
});

test('the 401 remains if the apiKey function is too slow', async () => {
  let calls = 0;
  const apiKey = () => (calls++ === 0 ? 'old' : new Promise<string>(() => {}));
  const { list, requests, sleeps } = createTestCall([failingWith(401)], { apiKey, timeout: 400 });
  expect(await rejection(list())).toMatchObject({ code: 'authentication' });
  expect(sleeps).toEqual([400]);
  expect(requests).toHaveLength(1);
});
