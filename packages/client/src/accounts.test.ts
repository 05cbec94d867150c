import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test, vi } from 'vitest';
import * as functions from './functions/index.ts';
import { type Memory, MemoryClient, type MemoryClientOptions, type WaitOutcome } from './index.ts';
import { saveMedia } from './node/save-media.ts';
import { everythingIn } from './testing/everything-in.ts';
import { useFakeTimers } from './testing/fake-timers.ts';
import { rejection } from './testing/rejection.ts';
import { answerWith, readAll } from './testing/storage-object.ts';
import { json } from './testing/stub-fetch.ts';

const own = 'OWNSECRET_0123456789';
const other = 'OTHERSECRET_0123456789';
const accounts = new Map([
  [own, 'own'],
  [other, 'other'],
]);

useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });

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
  folder = makeFolder();
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

type Read = (client: MemoryClient, options?: object) => Promise<string | undefined>;
type Functions = Omit<typeof functions, 'createClient'>;

function pathOf(media: { readonly url: string } | null): string | undefined {
  return media ? new URL(media.url).pathname.slice(1) : undefined;
}

function createReads({ listMemories, getMemory, mediaUrl, openMedia, ...polls }: Functions): Record<string, Read> {
  return {
    listMemories: async (client, options) => (await listMemories(client, options))[0]?.name,
    getMemory: async (client, options) => (await getMemory(client, 'mem_1', options)).name,
    waitForMemory: async (client, options) => (await polls.waitForMemory(client, 'mem_1', options)).name,
    waitForMemories: async (client, options) =>
      (await readOutcome(polls.waitForMemories(client, ['mem_1'], options))).name,
    async watchMemories(client, options) {
      const change = await first(polls.watchMemories(client, options));
      return change.type === 'added' ? change.memory.name : undefined;
    },
    mediaUrl: async (client, options) => pathOf(await mediaUrl(client, 'mem_1', 'audio', options)),
    openMedia: async (client, options) =>
      String(await readAll((await openMedia(client, 'mem_1', 'audio', options)).body)),
    async saveMedia(client, options) {
      const path = join(folder, `${count++}.wav`);
      return readFileSync((await saveMedia(client, 'mem_1', 'audio', path, options)).path, 'utf8');
    },
  };
}

const ofMethods: Functions = {
  listMemories: (client, options) => (client as MemoryClient).listMemories(options),
  getMemory: (client, ...rest) => (client as MemoryClient).getMemory(...rest),
  waitForMemory: (client, ...rest) => (client as MemoryClient).waitForMemory(...rest),
  waitForMemories: (client, ...rest) => (client as MemoryClient).waitForMemories(...rest),
  watchMemories: (client, options) => (client as MemoryClient).watchMemories(options),
  mediaUrl: (client, ...rest) => (client as MemoryClient).mediaUrl(...rest),
  openMedia: (client, ...rest) => (client as MemoryClient).openMedia(...rest),
};

/** Returns the account that each method and each function reads. */
const reads: [string, Read][] = [
  ...Object.entries(createReads(ofMethods)),
  ...Object.entries(createReads(functions)).map(([name, read]): [string, Read] => [`the function ${name}`, read]),
];

test.each(reads)('%s refuses a key in its options, since a client is one account', async (_name, read) => {
  const { client, keys } = createAccounts();
  for (const apiKey of [other, () => other, undefined, null]) {
    const error = await rejection(read(client, { apiKey }));
    expect(error).toMatchObject({ code: 'configuration', option: 'apiKey' });
    expect(String(error)).toContain(
      'the option "apiKey" is not supported. A client is one account: use withOptions({ apiKey }).',
    );
    expect(everythingIn(error)).not.toContain('SECRET');
  }
  expect(keys).toEqual([]);
});

test.each(reads)('%s reads the account of each client at the same time', async (_name, read) => {
  const { client, keys, storage } = createAccounts();
  const clients = [client, { apiKey: other }, client, { apiKey: async () => other }].map((one) =>
    one instanceof MemoryClient ? one : client.withOptions(one),
  );
  expect(await Promise.all(clients.map((one) => read(one)))).toEqual(['own', 'other', 'own', 'other']);
  expect(new Set(keys)).toEqual(new Set([own, other]));
  for (const { headers, url } of storage) expect(inspect([...headers, url])).not.toMatch(/OWNSECRET|OTHERSECRET/);
});

test('an invalid key of one reading does not fail a caller with another key', async () => {
  const invalid = Promise.withResolvers<string>();
  const apiKey = vi.fn<() => string | Promise<string>>(() => other);
  apiKey.mockReturnValueOnce(other).mockReturnValueOnce(invalid.promise);
  const { client } = createAccounts({ apiKey });
  const failed = rejection(client.mediaUrl('mem_1', 'audio'));
  await vi.waitFor(() => expect(apiKey).toHaveBeenCalledTimes(2));
  const read = client.mediaUrl('mem_1', 'audio');
  await vi.advanceTimersByTimeAsync(1);
  invalid.resolve('');
  expect(await failed).toMatchObject({ code: 'configuration', option: 'apiKey' });
  expect(pathOf(await read)).toBe('other');
});

test.each(reads)('%s calls the apiKey function for each attempt and poll', async (_name, read) => {
  let faults = 2;
  const apiKey = vi.fn(() => other);
  const { client, keys } = createAccounts({ apiKey, retries: 2 }, () =>
    faults-- > 0 ? json({ detail: 'Slow' }, { status: 503 }) : undefined,
  );
  let isRead = false;
  const reading = read(client).finally(() => {
    isRead = true;
  });
  while (!isRead) await vi.advanceTimersByTimeAsync(100);
  expect(await reading).toBe('other');
  expect(keys.length).toBeGreaterThan(2);
  expect(new Set(keys)).toEqual(new Set([other]));
  expect(apiKey.mock.calls.length).toBeGreaterThanOrEqual(keys.length);
});

test.each(reads)('%s shows no key in errors, events and logs, also one that was replaced', async (_name, read) => {
  const events: unknown[] = [];
  const record = (event: unknown) => events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record, onEnd: record, onDrift: record };
  for (const apiKey of ['ONESECRET_01234', vi.fn(() => 'TWOSECRET_01234').mockReturnValueOnce('ONESECRET_01234')]) {
    const { client } = createAccounts({ hooks, apiKey });
    const error = await rejection(read(client));
    expect(error).toMatchObject({ code: 'authentication' });
    for (const value of [error, ...events, client]) expect(everythingIn(value)).not.toContain('SECRET');
  }
  expect(events.length).toBeGreaterThan(2);
});

test.each<[string, (client: MemoryClient, key: string) => Promise<unknown>]>([
  ['getMemory', (client, key) => client.getMemory(key)],
  ['a refused getMemory', (client, key) => client.getMemory(key, { timeout: 0 })],
  ['waitForMemory', (client, key) => client.waitForMemory(key, { maxWait: 1 })],
  ['waitForMemories', (client, key) => readOutcome(client.waitForMemories([key]))],
  ['mediaUrl', (client, key) => client.mediaUrl(key, 'audio')],
  ['openMedia', (client, key) => client.openMedia(key, 'audio')],
  ['saveMedia', (client, key) => saveMedia(client, key, 'audio', join(folder, 'a.wav'))],
])('%s shows no key in place of an id', async (_name, read) => {
  const events: unknown[] = [];
  const hooks = { onEnd: (event: unknown) => events.push(event) };
  const { client } = createAccounts({ hooks }, () => json({ detail: 'Memory not found' }, { status: 404 }));
  const error = await rejection(read(client, own));
  for (const value of [error, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
});

test('a download that takes too long shows no key in place of an id', async () => {
  const { client } = createAccounts({}, () => new Promise(() => {}));
  const late = rejection(client.openMedia(own, 'audio', { totalTimeout: 50 }));
  await vi.advanceTimersByTimeAsync(50);
  expect(await late).toMatchObject({ code: 'timeout' });
  expect(everythingIn(await late)).not.toContain('SECRET');
});
