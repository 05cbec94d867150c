import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mediaExpiresAt, responseInfo } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, stubClient } from '../testing/stub-fetch.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const names = ['x-request-id', 'date', 'content-type', 'link', 'retry-after', 'etag', 'content-length'];
const mediaUrl = 'https://media.example.com/audio';

/** Returns a change of a Response that puts other values in place of some of its properties. */
const replaced = (properties: PropertyDescriptorMap) => (response: Response) =>
  Object.defineProperties(response, properties);

/** Returns a change of a Response whose headers get another `get`. */
const withGet = (get: unknown) => (response: Response) =>
  replaced({ headers: { value: Object.defineProperty(response.headers, 'get', { value: get }) } })(response);

const refuse = (name = ''): never => {
  throw new Error(`Failed to get response header "${name}". Include it in filterSerializedResponseHeaders.`);
};

/** What a `fetch` can do to what a response says beside its status and its body. */
const breakages: [title: string, spoil: (response: Response) => Response][] = [
  // The `fetch` of a `load` in SvelteKit.
  [
    'headers.get throws for present headers',
    (response) => {
      const get = response.headers.get.bind(response.headers);
      return withGet((name: string) => (get(name) === null ? null : refuse(name)))(response);
    },
  ],
  ['headers.get throws for every name', withGet(refuse)],
  ['headers.get is no function', withGet(undefined)],
  ['headers.get returns numbers', withGet(() => 7)],
  ['headers.get returns lists', withGet(() => ['7'])],
  ['headers.get returns undefined', withGet(() => undefined)],
  ['headers is undefined', replaced({ headers: { value: undefined } })],
  ['headers is null', replaced({ headers: { value: null } })],
  ['headers is a plain object', replaced({ headers: { value: { date: 'x' } } })],
  ['headers is a list of numbers', replaced({ headers: { value: [1] } })],
  ['reading headers throws', replaced({ headers: { get: refuse } })],
  ['reading bodyUsed throws', replaced({ bodyUsed: { get: refuse } })],
  [
    'the headers cannot be listed',
    (response) => {
      Object.defineProperty(response.headers, Symbol.iterator, { value: refuse });
      return withGet(refuse)(response);
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

const date = 'Thu, 26 Nov 2026 06:00:00 GMT';
const headers = { 'x-request-id': 'req_1', date, 'retry-after': '0', link: '<a>; rel=prev' };
const memory = sampleMemory({ audio_url: mediaUrl });
const single = () => json(memory, { headers });
const list = () => json([sampleListedMemory({ audio_url: mediaUrl })], { headers });
const bytes = () => new Response('bytes', { headers: { ...headers, etag: '"1"' } });

describe.each(breakages)('if %s', (_title, spoil) => {
  const createClient = (api: () => Response, storage = bytes) =>
    stubClient(async ({ url }) => spoil(url === mediaUrl ? storage() : api()), { retries: 1 });

  test('lists, memories and media are still read, without a retry', async () => {
    const listed = createClient(list);
    expect(await listed.client.listMemories()).toHaveLength(1);
    expect(listed.requests).toHaveLength(1);
    const { client, requests } = createClient(single);
    const read = await client.getMemory('mem_1');
    expect(read).toEqual(memory);
    expect([undefined, 'object']).toContain(mediaExpiresAt(read) && typeof mediaExpiresAt(read));
    expect(responseInfo(read)).toMatchObject({ status: 200, attempts: 1, headers: { get: expect.any(Function) } });
    expect(await client.mediaUrl('mem_1', 'audio')).toMatchObject({ url: mediaUrl });
    expect(await new Response((await client.openMedia('mem_1', 'audio')).body).text()).toBe('bytes');
    expect(requests).toHaveLength(4);
  });

  test.each([
    [401, 'authentication', 1],
    [404, 'unexpected_response', 1],
    [422, 'invalid_request', 1],
    [429, 'rate_limited', 2],
    [500, 'server', 2],
    [503, 'server', 2],
    [403, 'unexpected_response', 1],
  ] as const)('a status is still that of the API: %i', async (status, code, attempts) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { client, requests } = createClient(() => json({ detail: 'No.' }, { status, headers }));
    const error = await rejection(client.listMemories());
    expect(error).toMatchObject({ code, status, responseHeaders: expect.any(Object), request: { attempts } });
    expect(requests).toHaveLength(attempts);
  });

  test('a 200 that is not JSON and a refusal of the storage still have their errors', async () => {
    const page = createClient(() => new Response('<p>', { headers })).client.listMemories({ retries: 0 });
    expect(await rejection(page)).toMatchObject({ code: 'invalid_response', reason: 'not_json' });
    const { client } = createClient(single, () => new Response('', { status: 451, headers }));
    const refused = { code: 'media_download', reason: 'refused', status: 451 };
    expect(await rejection(client.openMedia('mem_1', 'audio'))).toMatchObject(refused);
  });
});

const reading = (result: unknown) => ({ status: 200, body: { getReader: () => ({ read: async () => result }) } });

test.each<[string, unknown]>([
  ['reader.read is no function', { status: 200, body: { getReader: () => ({}) } }],
  ['getReader throws', { status: 200, body: { getReader: refuse } }],
  ['getReader returns nothing', { status: 200, body: { getReader: () => undefined }, text: 7 }],
  ['a read has no result', reading(undefined)],
  ['a chunk is no bytes', reading({ value: 7 })],
  ['text is no text', { status: 200, text: async () => ({}) }],
])('a Response-like in which %s is a mistake of the program, not a network fault', async (_title, response) => {
  const { client, requests } = stubClient(async () => response as Response);
  expect(await rejection(client.listMemories())).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect(requests).toHaveLength(1);
});

test('a mistake inside an attempt is thrown as it is, after one request', async () => {
  const mistake = new TypeError('Failed to read: x.y is not a function. Fix the program.');
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
    throw mistake;
  });
  const { client, requests } = stubClient(list());
  expect(await rejection(client.listMemories())).toBe(mistake);
  expect(requests).toHaveLength(1);
});

test.each([
  ['the API', []],
  ['the storage', [single()]],
])('a dispatcher of another undici is named, and not retried: %s', async (_title, answers) => {
  const cause = Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
  const { client, requests } = stubClient([...answers, new TypeError('fetch failed', { cause })]);
  const error = (await rejection(client.openMedia('mem_1', 'audio'))) as Error;
  expect(error).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect(error.message).toMatch(/another version of undici than fetch \(UND_ERR_INVALID_ARG\)/);
  expect(requests).toHaveLength(answers.length + 1);
});
