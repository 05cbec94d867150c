import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions, mediaExpiresAt, responseInfo } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json } from '../testing/stub-fetch.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const names = ['x-request-id', 'date', 'content-type', 'link', 'retry-after', 'etag', 'content-length'];
const mediaUrl = 'https://media.example.com/audio';

/** Returns a Response with other values in place of some of its properties. */
function replaced(response: Response, properties: PropertyDescriptorMap): Response {
  return Object.defineProperties(response, properties);
}

/** Returns headers whose `get` is another one. */
function withGet(response: Response, get: unknown): Response {
  return replaced(response, { headers: { value: Object.defineProperty(response.headers, 'get', { value: get }) } });
}

const refuse = (name = ''): never => {
  throw new Error(`Failed to get response header "${name}". Include it in filterSerializedResponseHeaders.`);
};

/** What a `fetch` can do to what a response says beside its status and its body. */
const breakages: [title: string, spoil: (response: Response) => Response][] = [
  // The `fetch` of a `load` in SvelteKit.
  [
    'headers.get throws for present headers',
    (response) => {
      const { headers } = response;
      const get = headers.get.bind(headers);
      return withGet(response, (name: string) => (get(name) === null ? null : refuse(name)));
    },
  ],
  ['headers.get throws for every name', (response) => withGet(response, refuse)],
  ['headers.get is no function', (response) => withGet(response, undefined)],
  ['headers.get returns numbers', (response) => withGet(response, () => 7)],
  ['headers.get returns lists', (response) => withGet(response, () => ['7'])],
  ['headers.get returns undefined', (response) => withGet(response, () => undefined)],
  ['headers is undefined', (response) => replaced(response, { headers: { value: undefined } })],
  ['headers is null', (response) => replaced(response, { headers: { value: null } })],
  ['headers is a plain object', (response) => replaced(response, { headers: { value: { date: 'x' } } })],
  ['headers is a list of numbers', (response) => replaced(response, { headers: { value: [1] } })],
  ['reading headers throws', (response) => replaced(response, { headers: { get: refuse } })],
  ['reading bodyUsed throws', (response) => replaced(response, { bodyUsed: { get: refuse } })],
  [
    'the headers cannot be listed',
    (response) => {
      Object.defineProperty(response.headers, Symbol.iterator, { value: refuse });
      return withGet(response, refuse);
    },
  ],
  [
    'no header can be read as a date or a number',
    (response) => {
      for (const name of names) response.headers.set(name, 'not readable');
      return response;
    },
  ],
];

const sent = {
  'x-request-id': 'req_1',
  date: 'Thu, 26 Nov 2026 06:00:00 GMT',
  'retry-after': '1',
  link: '<a>; rel=prev',
};
const memory = sampleMemory({ audio_url: mediaUrl });

function createClient(spoil: (response: Response) => Response, answer: () => Response, options?: MemoryClientOptions) {
  const fetch = vi.fn(async ({ url }: Request) =>
    spoil(url === mediaUrl ? new Response('bytes', { headers: { ...sent, etag: '"1"' } }) : answer()),
  );
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch, ...options });
  return { client, fetch };
}

const list = () =>
  json(
    [memory].map(({ transcript, ...listed }) => listed),
    { headers: sent },
  );
const single = () => json(memory, { headers: sent });

/** Calls that succeed, with the body of the API and the number of requests. */
const calls: [
  title: string,
  answer: () => Response,
  requests: number,
  call: (client: MemoryClient) => Promise<unknown>,
][] = [
  ['listMemories', list, 1, async (client) => expect(await client.listMemories()).toHaveLength(1)],
  ['getMemory', single, 1, async (client) => expect(await client.getMemory('mem_1')).toMatchObject({ id: memory.id })],
  [
    'mediaUrl',
    single,
    1,
    async (client) => expect(await client.mediaUrl('mem_1', 'audio')).toMatchObject({ url: mediaUrl }),
  ],
  [
    'mediaExpiresAt and responseInfo',
    single,
    1,
    async (client) => {
      const read = await client.getMemory('mem_1');
      expect([undefined, 'object']).toContain(mediaExpiresAt(read) && typeof mediaExpiresAt(read));
      const info = responseInfo(read);
      expect(info).toMatchObject({ status: 200, attempts: 1 });
      expect(info?.headers.get).toBeTypeOf('function');
    },
  ],
  [
    'openMedia',
    single,
    2,
    async (client) => {
      const { body } = await client.openMedia('mem_1', 'audio');
      expect(await new Response(body).text()).toBe('bytes');
    },
  ],
];

const table = breakages.flatMap(([breakage, spoil]) =>
  calls.map(([title, ...call]) => [breakage, title, spoil, ...call] as const),
);

test.each(table)(
  'if %s, %s still succeeds, without a retry',
  async (_breakage, _title, spoil, answer, requests, call) => {
    const { client, fetch } = createClient(spoil, answer);
    await call(client);
    expect(fetch).toHaveBeenCalledTimes(requests);
  },
);

const errors = [
  [401, 'authentication', 1],
  [404, 'unexpected_response', 1],
  [422, 'invalid_request', 1],
  [429, 'rate_limited', 2],
  [500, 'server', 2],
  [503, 'server', 2],
  [403, 'unexpected_response', 1],
] as const;

test.each(breakages.flatMap(([title, spoil]) => errors.map((error) => [title, spoil, ...error] as const)))(
  'if %s, a status is still that of the API: $2',
  async (_title, spoil, status, code, attempts) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const answer = () => json({ detail: 'No.' }, { status, headers: { ...sent, 'retry-after': '0' } });
    const { client, fetch } = createClient(spoil, answer, { retries: 1 });
    const error = await rejection(client.listMemories());
    expect(error).toMatchObject({ code, status, responseHeaders: expect.any(Object), request: { attempts } });
    expect(fetch).toHaveBeenCalledTimes(attempts);
  },
);

test.each(breakages)('if %s, a 200 that is not JSON is still an InvalidResponseError', async (_title, spoil) => {
  const { client } = createClient(spoil, () => new Response('<p>', { headers: sent }), { retries: 0 });
  expect(await rejection(client.listMemories())).toMatchObject({ code: 'invalid_response', reason: 'not_json' });
});

test.each(breakages)('if %s, a refusal of the storage is still a MediaDownloadError', async (_title, spoil) => {
  const answer = (url: string) => (url === mediaUrl ? new Response('', { status: 451, headers: sent }) : single());
  const fetch = async ({ url }: Request) => spoil(answer(url));
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch });
  expect(await rejection(client.openMedia('mem_1', 'audio'))).toMatchObject({
    code: 'media_download',
    reason: 'refused',
    status: 451,
  });
});

test.each<[string, () => unknown]>([
  ['reader.read is no function', () => ({ status: 200, body: { getReader: () => ({}) } })],
  ['getReader throws', () => ({ status: 200, body: { getReader: refuse } })],
  ['getReader returns nothing', () => ({ status: 200, body: { getReader: () => undefined }, text: 7 })],
  ['a read has no result', () => ({ status: 200, body: { getReader: () => ({ read: async () => undefined }) } })],
  ['a chunk is no bytes', () => ({ status: 200, body: { getReader: () => ({ read: async () => ({ value: 7 }) }) } })],
  ['text is no text', () => ({ status: 200, text: async () => ({}) })],
])('a Response-like in which %s is a mistake of the program, not a network fault', async (_title, create) => {
  const fetch = vi.fn(async () => create() as Response);
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch });
  expect(await rejection(client.listMemories())).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect(fetch).toHaveBeenCalledOnce();
});

test('a mistake inside an attempt is thrown as it is, after one request', async () => {
  const mistake = new TypeError('Failed to read: x.y is not a function. Fix the program.');
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
    throw mistake;
  });
  const { client, fetch } = createClient((response) => response, list);
  expect(await rejection(client.listMemories())).toBe(mistake);
  expect(fetch).toHaveBeenCalledOnce();
});

test.each<[string, string]>([
  ['the API', 'https://api.example.com/'],
  ['the storage', mediaUrl],
])('a dispatcher of another undici is named, and not retried: %s', async (_title, refused) => {
  const cause = Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
  const fetch = vi.fn(async ({ url }: Request) => {
    if (url.startsWith(refused)) throw new TypeError('fetch failed', { cause });
    return single();
  });
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch });
  const error = (await rejection(client.openMedia('mem_1', 'audio'))) as Error;
  expect(error).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect(error.message).toMatch(/another version of undici than fetch \(UND_ERR_INVALID_ARG\)/);
  expect(fetch).toHaveBeenCalledTimes(refused === mediaUrl ? 2 : 1);
});
