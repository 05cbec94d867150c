import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  type Memory,
  MemoryClient,
  type MemoryClientOptions,
  type RequestOptions,
  type WaitOutcome,
} from './index.ts';
import { saveMedia } from './node/save-media.ts';
import { rejection } from './testing/rejection.ts';
import { answerWith, readAll } from './testing/storage-object.ts';
import { json } from './testing/stub-fetch.ts';

const own = 'OWNSECRET_0123456789';
const other = 'OTHERSECRET_0123456789';
const accounts = new Map([
  [own, 'own'],
  [other, 'other'],
]);
const caller = { apiKey: other };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** An API of two accounts. `keys` holds the key of each request; `storage` the requests for media, which have no key. */
function createAccounts(
  options: MemoryClientOptions = {},
  poll: () => Response | Promise<void> | undefined = () => undefined,
) {
  const keys: (string | undefined)[] = [];
  const storage: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { host, pathname } = new URL(request.url);
    if (host === 'storage.example.com') {
      storage.push(request);
      return answerWith(request, { bytes: new TextEncoder().encode(pathname.slice(1)) });
    }
    const key = request.headers.get('authorization')?.replace('Bearer ', '');
    keys.push(key);
    const fault = await poll();
    if (fault) return fault;
    const name = accounts.get(key ?? '');
    if (name === undefined) return json({ detail: `Invalid API key ${key}` }, { status: 401 });
    const about = { id: 'mem_1', name, user_id: `user_${name}` };
    if (pathname === '/v1/memories') return json([sampleListedMemory(about)]);
    return json(
      sampleMemory({ ...about, audio_url: `https://storage.example.com/${name}?signature=URLSECRET${keys.length}` }),
    );
  };
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: own, retries: 0, fetch, ...options });
  return { client, keys, storage };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-key-'));
  return () => rmSync(folder, { recursive: true });
});

async function first<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('An item was expected.');
}

/** Gives each saved file its own path. */
let count = 0;

async function readOutcome(outcomes: AsyncIterable<WaitOutcome>): Promise<Memory> {
  const outcome = await first(outcomes);
  if (outcome.status === 'processed') return outcome.memory;
  throw outcome.error;
}

type Read = (client: MemoryClient, options: RequestOptions) => Promise<string | undefined>;

/** Returns the account that each method reads. */
const methods: [string, Read][] = [
  ['listMemories', async (client, options) => (await client.listMemories(options))[0]?.name],
  ['getMemory', async (client, options) => (await client.getMemory('mem_1', options)).name],
  ['waitForMemory', async (client, options) => (await client.waitForMemory('mem_1', options)).name],
  ['waitForMemories', async (client, options) => (await readOutcome(client.waitForMemories(['mem_1'], options))).name],
  [
    'watchMemories',
    async (client, options) => {
      const change = await first(client.watchMemories(options));
      return change.type === 'added' ? change.memory.name : undefined;
    },
  ],
  [
    'mediaUrl',
    async (client, options) => {
      const media = await client.mediaUrl('mem_1', 'audio', options);
      return media ? new URL(media.url).pathname.slice(1) : undefined;
    },
  ],
  [
    'openMedia',
    async (client, options) => String(await readAll((await client.openMedia('mem_1', 'audio', options)).body)),
  ],
  [
    'saveMedia',
    async (client, options) => {
      const { path } = await saveMedia(client, 'mem_1', 'audio', join(folder, `${count++}.wav`), options);
      return readFileSync(path, 'utf8');
    },
  ],
];

test.each(methods)('%s reads the account of its key, and the next call that of the client', async (_name, read) => {
  const { client, keys, storage } = createAccounts();
  expect(await read(client, {})).toBe('own');
  expect(await read(client, caller)).toBe('other');
  expect(await read(client, { apiKey: async () => other })).toBe('other');
  expect(await read(client, {})).toBe('own');
  expect(new Set(keys)).toEqual(new Set([own, other]));
  for (const { headers, url } of storage) expect(inspect([...headers, url])).not.toMatch(/OWNSECRET|OTHERSECRET/);
});

test.each(methods)('%s at the same time with both keys reads both accounts', async (_name, read) => {
  const { client } = createAccounts();
  const calls = [{}, caller, {}, caller];
  const accountsRead = await Promise.all(calls.map((options) => read(client, options)));
  expect(accountsRead).toEqual(calls.map((options) => (options === caller ? 'other' : 'own')));
});

test('media URLs are cached, and readings shared, for each key', async () => {
  const { client, keys } = createAccounts();
  const urls = (options: RequestOptions) => Array.from({ length: 2 }, () => client.mediaUrl('mem_1', 'audio', options));
  const byFunction = { apiKey: () => other };
  const [one, two, three, four, five] = await Promise.all([...urls({}), ...urls(caller), ...urls(byFunction).slice(1)]);
  expect(keys.filter((key) => key === own)).toHaveLength(1);
  expect(one).toEqual(two);
  expect(three).toEqual(four);
  expect(three?.url).not.toBe(one?.url);
  expect(five?.url).toContain('/other?');
  const sent = keys.length;
  expect(await client.mediaUrl('mem_1', 'audio', byFunction)).toMatchObject({
    url: expect.stringContaining('/other?'),
  });
  expect(await client.mediaUrl('mem_1', 'audio')).toEqual(one);
  expect(keys).toHaveLength(sent);
});

test('a client whose function rotates between accounts never returns a URL of another call', async () => {
  const keyOf = { now: own };
  const { client } = createAccounts({ apiKey: () => keyOf.now });
  const ofClient = client.mediaUrl('mem_1', 'audio');
  const ofCaller = client.mediaUrl('mem_1', 'audio', { apiKey: other });
  expect((await ofClient)?.url).toContain('/own?');
  expect((await ofCaller)?.url).toContain('/other?');
  keyOf.now = other;
  expect((await client.mediaUrl('mem_1', 'audio'))?.url).toContain('/other?');
  expect((await client.mediaUrl('mem_1', 'audio', { apiKey: own }))?.url).toContain('/own?');
});

test('a shared reading of one account does not fail a caller of the other one', async () => {
  const { client } = createAccounts();
  const refused = rejection(client.mediaUrl('mem_1', 'audio', { apiKey: 'WRONGSECRET_01234' }));
  const read = client.mediaUrl('mem_1', 'audio');
  expect(await refused).toMatchObject({ code: 'authentication' });
  expect((await read)?.url).toContain('/own?');
});

test.each(methods)(
  '%s uses the key of the call in each attempt and poll, and calls the function for each',
  async (_name, read) => {
    let faults = 2;
    const { client, keys } = createAccounts({ retries: 2 }, () =>
      faults-- > 0 ? json({ detail: 'Slow' }, { status: 503 }) : undefined,
    );
    const apiKey = vi.fn(() => other);
    let isRead = false;
    const reading = read(client, { apiKey }).finally(() => {
      isRead = true;
    });
    while (!isRead) await vi.advanceTimersByTimeAsync(100);
    expect(await reading).toBe('other');
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys)).toEqual(new Set([other]));
    expect(apiKey.mock.calls.length).toBeGreaterThanOrEqual(keys.length);
  },
);

/** Returns every text that a log could make of a value. */
function everythingIn(value: unknown): string {
  const shown = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  const error = value instanceof Error ? [value.message, value.stack, everythingIn(value.cause)] : [];
  return [shown, JSON.stringify(value), String(value), ...error].join('\n');
}

test.each(methods)('%s does not show the key of the call in errors, events and logs', async (_name, read) => {
  const events: unknown[] = [];
  const record = (event: unknown) => events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record, onEnd: record, onDrift: record };
  const echo = () => json({ detail: `Invalid API key ${other}` }, { status: 401, headers: { 'x-request-id': other } });
  for (const apiKey of [other, () => other]) {
    const { client } = createAccounts({ hooks }, echo);
    const error = await rejection(read(client, { apiKey }));
    expect(error).toMatchObject({ code: 'authentication' });
    for (const value of [error, ...events, client]) expect(everythingIn(value)).not.toContain('SECRET');
  }
  expect(events.length).toBeGreaterThan(2);
});

test.each<[string, (client: MemoryClient, key: string) => Promise<unknown>]>([
  ['getMemory', (client, key) => client.getMemory(key, caller)],
  ['waitForMemory', (client, key) => client.waitForMemory(key, { ...caller, maxWait: 1 })],
  ['waitForMemories', (client, key) => readOutcome(client.waitForMemories([key], caller))],
  ['mediaUrl', (client, key) => client.mediaUrl(key, 'audio', caller)],
  ['openMedia', (client, key) => client.openMedia(key, 'audio', caller)],
  ['saveMedia', (client, key) => saveMedia(client, key, 'audio', join(folder, 'a.wav'), caller)],
])('%s shows no key in place of an id', async (_name, read) => {
  const { client } = createAccounts({}, () => json({ detail: 'Memory not found' }, { status: 404 }));
  expect(everythingIn(await rejection(read(client, other)))).not.toContain('SECRET');
});

test.each(methods)('%s refuses an own undefined, an invalid key, and a key with auth none', async (_name, read) => {
  const { client, keys } = createAccounts();
  const keyless = createAccounts({ auth: 'none' });
  const wrong: [MemoryClient, unknown, string][] = [
    [client, undefined, 'undefined'],
    [client, '', 'is empty'],
    [client, 'SECRET with spaces', 'white space'],
    [client, null, 'is null'],
    [client, 7, 'is 7'],
    [keyless.client, other, "auth: 'none'"],
  ];
  for (const [one, apiKey, problem] of wrong) {
    const error = (await rejection(read(one, { apiKey: apiKey as string }))) as ConfigurationError;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain(problem);
    expect(error).toMatchObject({ option: 'apiKey' });
    expect(everythingIn(error)).not.toContain('SECRET');
  }
  expect([...keys, ...keyless.keys]).toEqual([]);
});

test('a refused call and a download that takes too long show no key in place of an id', async () => {
  const events: unknown[] = [];
  const hooks = { onEnd: (event: unknown) => events.push(event) };
  const { client } = createAccounts({ hooks }, () => new Promise(() => {}));
  const refused = await rejection(client.getMemory(other, { apiKey: other, timeout: 0 }));
  const late = rejection(client.openMedia(other, 'audio', { apiKey: other, totalTimeout: 50 }));
  await vi.advanceTimersByTimeAsync(50);
  expect(await late).toMatchObject({ code: 'timeout' });
  for (const value of [refused, await late, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
  expect(events.length).toBeGreaterThan(1);
});

test('an invalid key of one caller does not fail another caller of the same reading', async () => {
  const { client } = createAccounts();
  const invalid = Promise.withResolvers<string>();
  const apiKey = vi.fn(() => invalid.promise).mockResolvedValueOnce(other);
  const failed = rejection(client.mediaUrl('mem_1', 'audio', { apiKey }));
  await vi.waitFor(() => expect(apiKey).toHaveBeenCalledTimes(2));
  const read = client.mediaUrl('mem_1', 'audio', { apiKey: other });
  await vi.advanceTimersByTimeAsync(1);
  invalid.resolve('');
  expect(await failed).toMatchObject({ code: 'configuration', option: 'apiKey' });
  expect((await read)?.url).toContain('/other?');
});

test('a download that is resumed keeps the key with which it was opened', async () => {
  let answers = 0;
  const bytes = new TextEncoder().encode('a'.repeat(9000));
  const keys: (string | null)[] = [];
  const fetch = async (request: Request) => {
    if (request.url.startsWith('https://storage')) {
      answers += 1;
      return answers === 2
        ? new Response(null, { status: 403 })
        : answerWith(request, { bytes, cutAfter: answers === 1 ? 4096 : undefined });
    }
    keys.push(request.headers.get('authorization'));
    return json(sampleMemory({ audio_url: 'https://storage.example.com/a?signature=1' }));
  };
  const options: RequestOptions = { apiKey: other };
  const { body } = await createAccounts({ fetch }).client.openMedia('mem_1', 'audio', options);
  options.apiKey = own;
  let isRead = false;
  const reading = readAll(body).finally(() => {
    isRead = true;
  });
  while (!isRead) await vi.advanceTimersByTimeAsync(100);
  expect((await reading).length).toBe(9000);
  expect(keys).toEqual([`Bearer ${other}`, `Bearer ${other}`]);
});

test.each<[string, MemoryClientOptions]>([
  ['as a text', {}],
  ['from its function', { apiKey: async () => own }],
])('the error of a call with its own key does not show the key of the client %s', async (_title, options) => {
  const events: unknown[] = [];
  const hooks = { onEnd: (event: unknown) => events.push(event) };
  const { client } = createAccounts({ ...options, hooks });
  await client.listMemories();
  const echoing = client.withOptions({
    fetch: async () => json({ detail: `Not ${own}` }, { status: 403, headers: { 'x-echo': own, 'x-request-id': own } }),
  });
  if (options.apiKey) await rejection(echoing.listMemories());
  const refused = await rejection(echoing.getMemory(own, { apiKey: other }));
  const wait = await rejection(echoing.waitForMemory(own, { apiKey: other }));
  const download = await rejection(echoing.openMedia(own, 'audio', { apiKey: other }));
  for (const value of [refused, wait, download, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
  expect(refused).toMatchObject({ code: 'unexpected_response', responseHeaders: { 'x-echo': expect.any(String) } });
});

test('a getter for the key is read once, so that a call never falls back to the key of the client', async () => {
  const { client, keys } = createAccounts();
  const queue = [other];
  const options = {
    get apiKey() {
      return queue.shift() as string;
    },
  };
  await client.listMemories(options);
  expect(keys).toEqual([other]);
  const empty = { ...Object.defineProperty({}, 'apiKey', { enumerable: true, get: () => queue.shift() }) };
  expect(await rejection(client.listMemories(empty))).toMatchObject({ code: 'configuration', option: 'apiKey' });
  expect(keys).toEqual([other]);
});
