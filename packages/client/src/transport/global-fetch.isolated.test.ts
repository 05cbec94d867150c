import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ListedMemory, MemoryClient, MemoryClientOptions } from '../index.ts';
import { everyCall } from '../testing/every-call.ts';
import { followInitOnly, memoizeInRender } from '../testing/fetch-wrappers.ts';
import { serverError } from '../testing/polled-api.ts';
import { rejection } from '../testing/rejection.ts';
import { answerWith, createBytes, readAll } from '../testing/storage-object.ts';
import { json, never, type StubAnswer, stubFetch } from '../testing/stub-fetch.ts';

const baseUrl = 'https://api.example.com';
const bytes = createBytes(20_000);

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The modules of the client, as they are after an import in which this `fetch` is the global one from the start or later. */
async function importWith(fetch: typeof globalThis.fetch, moment: 'before' | 'after') {
  if (moment === 'before') vi.stubGlobal('fetch', fetch);
  const [{ MemoryClient }, { saveMedia }] = await Promise.all([import('../index.ts'), import('../node/index.ts')]);
  if (moment === 'after') vi.stubGlobal('fetch', fetch);
  const createClient = (options: MemoryClientOptions = {}) =>
    new MemoryClient({ baseUrl, apiKey: 'sk_test', ...options });
  const save = () => saveMedia(createClient(), 'mem_1', 'audio', join(makeFolder(), 'a.wav'));
  return { createClient, save };
}

type Imported = Awaited<ReturnType<typeof importWith>>;

const { setImmediate: yieldToFiles } = globalThis;

/** Returns the result of work while a fake clock advances. While no timer waits, the work waits for files. */
async function settle<Value>(work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  onTestFinished(end);
  while (!isOver) {
    if (vi.getTimerCount() > 0) await vi.advanceTimersByTimeAsync(100);
    await new Promise<void>((resolve) => yieldToFiles(resolve));
  }
  return work;
}

const signedUrl = (signature: string) => `https://storage.example.com/a.wav?signature=${signature}`;
const memoryWith = (signature: string) => json(sampleMemory({ audio_url: signedUrl(signature) }));
const processing = json(sampleMemory({ is_processing: true }));
const listOf = (changes: Partial<ListedMemory>) => json([sampleListedMemory({ id: 'mem_1', ...changes })]);
const unavailable = new Response('Slow down', { status: 503 });
const storage = async (request: Request) => answerWith(request, { bytes });
const cut = async (request: Request) => answerWith(request, { bytes, cutAfter: 8192 });

/** What follows a first answer in a download. */
const downloads: Record<string, StubAnswer[]> = {
  'asks the storage again': [unavailable, storage],
  'renews the URL': [new Response('Expired', { status: 403 }), memoryWith('2'), storage],
  resumes: [cut, unavailable, storage],
};
const twice = [processing, json(sampleMemory())];
const another = json([sampleListedMemory({ id: 'mem_2' })]);

/** Work in a render, the responses in turn, and its result. The last response is that of the last request. */
const works: Record<
  string,
  [StubAnswer[], (client: MemoryClient, save: Imported['save']) => Promise<unknown>, unknown]
> = {
  'getMemory retries': [
    [serverError(), serverError(), json(sampleMemory())],
    (client) => client.getMemory('mem_1'),
    sampleMemory(),
  ],
  'listMemories retries': [[serverError(), json([])], (client) => client.listMemories(), []],
  'getMemory is called again': [
    twice,
    async (client) => [(await client.getMemory('mem_1')).is_processing, await client.getMemory('mem_1')],
    [true, sampleMemory()],
  ],
  'waitForMemory polls': [
    [processing, ...twice],
    (client) => client.waitForMemory('mem_1', { maxWait: 60_000 }),
    sampleMemory(),
  ],
  'waitForMemories polls': [
    [listOf({ is_processing: true }), listOf({}), json(sampleMemory())],
    async (client) => (await client.waitForMemories(['mem_1'], { maxWait: 60_000 }).next()).value?.status,
    'processed',
  ],
  'watchMemories polls': [
    [json([]), another],
    async (client) => (await client.watchMemories()[Symbol.asyncIterator]().next()).value?.memory.id,
    'mem_2',
  ],
  'mediaUrl reads a fresh URL': [
    [memoryWith('1'), memoryWith('2')],
    async (client) =>
      [await client.mediaUrl('mem_1', 'audio'), await client.mediaUrl('mem_1', 'audio', { fresh: true })].map(
        (media) => media?.url,
      ),
    [signedUrl('1'), signedUrl('2')],
  ],
};
for (const [title, answers] of Object.entries(downloads)) {
  works[`openMedia ${title}`] = [
    [memoryWith('1'), ...answers],
    async (client) => readAll((await client.openMedia('mem_1', 'audio')).body),
    Buffer.from(bytes),
  ];
  works[`saveMedia ${title}`] = [
    [memoryWith('1'), ...answers],
    async (_client, save) => readFileSync((await save()).path),
    Buffer.from(bytes),
  ];
}

describe.each(['before', 'after'] as const)('with a global fetch that is replaced %s the import', (moment) => {
  test.each(Object.entries(works))(
    'if requests are memoized in a render, each request is sent: %s',
    async (_title, [answers, work, result]) => {
      vi.useFakeTimers();
      const { fetch, requests } = stubFetch(...answers);
      const { createClient, save } = await importWith(memoizeInRender(fetch), moment);
      expect(await settle(work(createClient(), save))).toEqual(result);
      expect(requests).toHaveLength(answers.length);
    },
  );
});

const aborted: [string, StubAnswer[], (client: MemoryClient, signal: AbortSignal) => Promise<unknown>][] = [
  ...Object.entries(everyCall).map(([name, call]): (typeof aborted)[number] => {
    return [`the API with ${name}`, [], (client, signal) => call(client, { signal })];
  }),
  ['the storage', [memoryWith('1')], (client, signal) => client.openMedia('mem_1', 'audio', { signal })],
];
const late: [string, StubAnswer[], (client: MemoryClient) => Promise<unknown>][] = [
  ['the API', [], (client) => client.listMemories({ timeout: 400, retries: 0 })],
  [
    'the storage',
    [memoryWith('1')],
    (client) => client.openMedia('mem_1', 'audio', { headersTimeout: 400, totalTimeout: 500 }),
  ],
];

describe('if only the signal in init is followed', () => {
  test.each(aborted)('a request to %s is aborted', async (_name, answers, call) => {
    const { fetch, requests } = stubFetch(...answers, never);
    const { createClient } = await importWith(followInitOnly(fetch), 'after');
    const aborting = new AbortController();
    const ended = rejection(call(createClient(), aborting.signal));
    await vi.waitUntil(() => requests.length > answers.length);
    aborting.abort();
    expect(await ended).toBe(aborting.signal.reason);
    expect(requests.at(-1)?.signal.aborted).toBe(true);
  });

  test.each(late)('a request to %s is aborted at its timeout', async (_host, answers, call) => {
    vi.useFakeTimers();
    const { fetch, requests } = stubFetch(...answers, never);
    const { createClient } = await importWith(followInitOnly(fetch), 'after');
    await settle(rejection(call(createClient())));
    const sent = requests.slice(answers.length);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(({ signal }) => !signal.aborted)).toEqual([]);
  });
});

test('each request is a URL with an init of its own, which holds the signal', async () => {
  const { fetch } = stubFetch(serverError(), memoryWith('1'), storage);
  const spy = vi.fn(fetch);
  const { createClient } = await importWith(spy, 'after');
  const { body } = await createClient().openMedia('mem_1', 'audio');
  await readAll(body);
  const api = `${baseUrl}/v1/memories/mem_1`;
  expect(spy.mock.calls.map(([url]) => url)).toEqual([api, api, signedUrl('1')]);
  const inits = spy.mock.calls.map(([, init]) => init);
  for (const init of inits) expect(init).toMatchObject({ redirect: 'manual', signal: expect.any(AbortSignal) });
  expect(new Set(inits.map((init) => init?.signal)).size).toBe(3);
  expect(JSON.stringify(inits[2])).not.toContain('sk_test');
});

test('a server receives the same headers as from a client whose fetch option is the global fetch', async () => {
  const received: string[][] = [];
  await using server = await listen((request, response) => {
    received.push([`${request.method} ${request.url}`, ...request.rawHeaders]);
    const { url } = request;
    if (url === '/a.wav' && !request.headers.range)
      response.writeHead(200, { etag: '"v1"', 'content-length': 6 }).write('abc', () => response.destroy());
    else if (url === '/a.wav')
      response.writeHead(206, { etag: '"v1"', 'content-range': 'bytes 3-5/6', 'content-length': 3 }).end('def');
    else response.end(JSON.stringify(sampleMemory({ audio_url: `${server.url}/a.wav` })));
  });
  const { createClient } = await importWith(globalThis.fetch, 'after');
  const headersOf = async (options: MemoryClientOptions) => {
    received.length = 0;
    const client = createClient({ baseUrl: server.url, headers: { 'X-Team': 'blue' }, ...options });
    const { body } = await client.openMedia('mem_1', 'audio');
    expect(Buffer.from(await readAll(body)).toString()).toBe('abcdef');
    return [...received];
  };
  const { fetch } = globalThis;
  for (const auth of ['bearer', 'x-api-key'] as const) {
    const ofRequest = await headersOf({ auth, fetch: (request) => fetch(request) });
    expect(ofRequest).toHaveLength(3);
    expect(await headersOf({ auth })).toEqual(ofRequest);
  }
});
