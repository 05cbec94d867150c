import { type ListedMemory, MemoryClient } from '@memory-read/client';
import { parseQuery } from '@memory-read/client/search';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Assistant, openAssistant } from '../testing/open-assistant.ts';
import { createLiveSource, type LiveSourceOptions } from './create-live-source.ts';

const mock = createMemoryMock({ memories: [] });
const { baseUrl, apiKey } = mock;
let paths: string[];
let inFlight = 0;
let mostInFlight = 0;
let now: number;
/** Returns a response instead of the mock. */
let instead: ((id: string, request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;

beforeEach(() => {
  mock.reset();
  paths = [];
  inFlight = 0;
  mostInFlight = 0;
  now = Date.parse('2026-01-01T00:00:00Z');
  instead = undefined;
});

async function open(options: LiveSourceOptions = {}, copyOf = (list: ListedMemory[]) => list): Promise<Assistant> {
  const fetch = async (request: Request) => {
    const id = new URL(request.url).pathname.replace(/^.*\/memories\/?/, '');
    paths.push(id);
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    try {
      return (await instead?.(id, request)) ?? (await mock.fetch(request));
    } finally {
      inFlight -= 1;
    }
  };
  const client = new MemoryClient({ baseUrl, apiKey, fetch, retries: 2 });
  const listMemories = client.listMemories.bind(client);
  client.listMemories = async (request) => copyOf(await listMemories(request));
  return openAssistant({ source: createLiveSource(client, { clock: { now: () => new Date(now) }, ...options }) });
}

/** Adds memories from the newest to the oldest: m00, m01, … */
function addMemories(
  count: number,
  text = (_: number): string => 'We talk about zebras.',
  name = (_: number) => 'Talk',
) {
  for (let index = 0; index < count; index += 1) {
    const started_at = new Date(Date.parse('2025-06-01T00:00:00Z') - index * 60_000).toISOString();
    mock.memories.add({
      id: idOf(index),
      name: name(index),
      started_at,
      ended_at: started_at,
      summary: null,
      transcript: { segments: [{ speaker: 'Speaker 1', start_at: started_at, end_at: started_at, text: text(index) }] },
    });
  }
}

function idOf(index: number): string {
  return `m${String(index).padStart(2, '0')}`;
}

function json(status: number, body: object): Response {
  return Response.json(body, { status });
}

async function searchAll(assistant: Assistant, input: Record<string, unknown>) {
  const ids: string[] = [];
  const coverages: Record<string, unknown>[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { content, isError, text } = await assistant.call('search', { ...input, cursor });
    expect(isError, text).toBe(false);
    ids.push(...content.results.map(({ id }: { id: string }) => id));
    coverages.push(content.coverage);
    expect(content.coverage.memories_left > 0).toBe(content.next_cursor !== undefined);
    cursor = content.next_cursor;
    expect(coverages.length).toBeLessThan(100);
  }
  return { ids, coverages };
}

test('searches the titles of all memories first, then transcripts within the budget, and finds each hit once with the cursor', async () => {
  addMemories(
    50,
    (index) => (index % 7 === 0 ? 'A zebra.' : 'Nothing.'),
    (index) => (index % 10 === 9 ? 'Zebra' : 'Talk'),
  );
  const assistant = await open();
  const first = (await assistant.call('search', { query: 'zebra' })).content;
  expect(first.coverage).toEqual({ memories: 50, transcripts_read: 16, memories_left: 29, stopped: 'budget' });
  expect(paths).toHaveLength(17);
  const titles = first.results.filter(({ title }: { title: string }) => title === 'Zebra');
  expect(titles).toHaveLength(5);

  const { ids, coverages } = await searchAll(await open(), { query: 'zebra', limit: 3 });
  const expected = Array.from({ length: 50 }, (_, index) => index).filter(
    (index) => index % 7 === 0 || index % 10 === 9,
  );
  expect(ids.toSorted()).toEqual(expected.map(idOf));
  expect(coverages.at(-1)?.memories_left).toBe(0);
});

test('repeats and omits no memory if memories are added or removed between pages', async () => {
  addMemories(40);
  const assistant = await open({ listMaxAge: 0 });
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { content } = await assistant.call('search', { query: 'zebras', limit: 4, cursor });
    ids.push(...content.results.map(({ id }: { id: string }) => id));
    cursor = content.next_cursor;
    mock.memories.add({ name: 'Zebras', started_at: '2030-01-01T00:00:00.000Z', ended_at: '2030-01-01T00:00:00.000Z' });
    if (mock.memories.all().some(({ id }) => id === ids.at(-1))) mock.memories.remove(ids.at(-1) as string);
    now += 1;
  } while (cursor !== undefined);
  const own = ids.filter((id) => /^m\d\d$/.test(id));
  expect(own.toSorted()).toEqual(Array.from({ length: 40 }, (_, index) => idOf(index)));
});

test('each of many hits in titles is found once, and so are the transcripts after them', async () => {
  addMemories(
    140,
    (index) => (index % 7 === 0 ? 'A zebra.' : 'Nothing.'),
    (index) => (index < 120 ? 'Zebra' : 'Talk'),
  );
  const { ids, coverages } = await searchAll(await open(), { query: 'zebra' });
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids.toSorted()).toEqual([...Array.from({ length: 120 }, (_, at) => at), 126, 133].map(idOf).toSorted());
  const left = coverages.slice(0, 11).map(({ memories_left }) => memories_left);
  expect(left).toEqual([130, 120, 110, 100, 90, 80, 70, 60, 50, 40, 30]);
});

test('a memory that gets a title between pages is found once', async () => {
  addMemories(
    40,
    (index) => (index === 39 ? 'A zebra.' : 'Nothing.'),
    (index) => (index % 3 === 0 ? 'Zebra' : 'Talk'),
  );
  const assistant = await open({ listMaxAge: 0, transcriptRequests: 8 });
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { content } = await assistant.call('search', { query: 'zebra', limit: 5, cursor });
    ids.push(...content.results.map(({ id }: { id: string }) => id));
    cursor = content.next_cursor;
    // The first of them stands before the position of the search in titles, the others after it.
    for (const id of ['m01', 'm20', 'm38']) mock.memories.update(id, { name: 'A zebra' });
    mock.memories.update('m03', { name: 'Renamed' });
    if (content.coverage.stopped === 'budget') mock.memories.update('m37', { name: 'A zebra' });
    now += 1;
  } while (cursor !== undefined);
  const titled = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 3 === 0);
  expect(ids.toSorted()).toEqual([...titled, 1, 20, 37, 38].map(idOf).toSorted());
});

test('limits the requests in flight, and sends each of them once', async () => {
  addMemories(12, () => 'Nothing.');
  instead = async () => void (await new Promise((resolve) => setImmediate(resolve)));
  await (await open({ concurrency: 3 })).call('search', { query: 'zebra' });
  expect(mostInFlight).toBe(3);
  expect(new Set(paths).size).toBe(paths.length);
});

const fail = (error: Error) => {
  throw error;
};

test.each([
  ['a 429', () => json(429, { detail: 'Later' }), 'rate_limited'],
  ['a 500', () => json(500, { detail: 'Later' }), 'unavailable'],
  ['a 503', () => json(503, { detail: 'Later' }), 'unavailable'],
  ['a cut connection', () => fail(new TypeError('terminated')), 'unavailable'],
  ['a timeout', () => fail(new DOMException('The operation timed out.', 'TimeoutError')), 'unavailable'],
])('%s ends the search with what was found, and the cursor resumes at it', async (_, answer, stopped) => {
  addMemories(8);
  instead = (id) => (id === 'm03' ? answer() : undefined);
  const assistant = await open();
  const { content } = await assistant.call('search', { query: 'zebras' });
  expect(content.results.map(({ id }: { id: string }) => id)).toEqual(['m00', 'm01', 'm02']);
  expect(content.coverage).toEqual({ memories: 8, transcripts_read: 3, memories_left: 5, stopped });
  expect(paths.filter((id) => id === 'm03')).toHaveLength(1);
  instead = undefined;
  const rest = await assistant.call('search', { query: 'zebras', cursor: content.next_cursor });
  expect(rest.content.results.map(({ id }: { id: string }) => id)).toEqual(['m03', 'm04', 'm05', 'm06', 'm07']);
});

test('skips a 404, counts an invalid response, and rejects if the key is rejected', async () => {
  addMemories(4);
  instead = (id) =>
    id === 'm01' ? json(404, { detail: 'Memory not found' }) : id === 'm02' ? json(200, { id: 'm02' }) : undefined;
  const { content } = await (await open()).call('search', { query: 'zebras' });
  expect(content.results.map(({ id }: { id: string }) => id)).toEqual(['m00', 'm03']);
  expect(content.coverage).toEqual({ memories: 4, transcripts_read: 2, memories_left: 0, unreadable: 1 });
  instead = (id) => (id === 'm01' ? json(401, { detail: 'Invalid API key' }) : undefined);
  expect(await (await open()).call('search', { query: 'zebras' })).toMatchObject({ isError: true });
});

/** Makes m01 invalid in the list. */
async function breakOne(id: string, request: Request): Promise<Response | undefined> {
  if (id !== '') return undefined;
  const list = (await (await mock.fetch(request)).json()) as { id: string }[];
  return json(
    200,
    list.map((memory) => (memory.id === 'm01' ? { ...memory, name: 7 } : memory)),
  );
}

test('a copied list can lack memories, so no result has the number of all memories', async () => {
  addMemories(12);
  instead = breakOne;
  const assistant = await open({}, (list) => [...list]);
  const { content } = await assistant.call('search', { query: 'zebras' });
  expect(content.results).toHaveLength(10);
  expect(content.coverage).toEqual({ complete: false, transcripts_read: 11, memories_left: 1 });
  const rest = await assistant.call('search', { query: 'zebras', cursor: content.next_cursor });
  expect(rest.content.coverage).toEqual({ complete: false, transcripts_read: 1, memories_left: 0 });
  const listed = await assistant.call('list_memories', { limit: 2 });
  expect(listed.content).toMatchObject({ memories: [{ id: 'm00' }, { id: 'm02' }] });
  expect(listed.content).not.toHaveProperty('total');
  expect(listed.content).not.toHaveProperty('unreadable');
});

test('an invalid memory of the list is unreadable, on the first page, and hides no other one', async () => {
  addMemories(12);
  instead = breakOne;
  const assistant = await open();
  const { content } = await assistant.call('search', { query: 'zebras' });
  expect(content.results).toHaveLength(10);
  expect(content.coverage).toEqual({ memories: 12, transcripts_read: 11, memories_left: 1, unreadable: 1 });
  const rest = await assistant.call('search', { query: 'zebras', cursor: content.next_cursor });
  expect(rest.content.results.map(({ id }: { id: string }) => id)).toEqual(['m11']);
  expect(rest.content.coverage).toEqual({ memories: 12, transcripts_read: 1, memories_left: 0 });
  const listed = await assistant.call('list_memories', { limit: 2 });
  expect(listed.content).toMatchObject({ memories: [{ id: 'm00' }, { id: 'm02' }], total: 12, unreadable: 1 });
});

test('stops a search that takes too long, and cancels its request', async () => {
  addMemories(3);
  const signals: AbortSignal[] = [];
  instead = (id, { signal }) => {
    if (id !== 'm01') return undefined;
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { content } = await (await open({ searchTimeout: 50 })).call('search', { query: 'zebras' });
  expect(content.coverage).toMatchObject({ memories_left: 2, stopped: 'time' });
  expect(content.next_cursor).toBeDefined();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test.each(['an error of the server', 'a timeout'])('passes over a memory that fails twice with %s', async (kind) => {
  addMemories(4);
  instead = (id, { signal }) => {
    if (id !== 'm01') return undefined;
    if (kind === 'an error of the server') return json(500, { detail: 'Internal Server Error' });
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { ids, coverages } = await searchAll(await open({ searchTimeout: 50 }), { query: 'zebras' });
  expect(ids).toEqual(['m00', 'm02', 'm03']);
  expect(coverages[0]).toMatchObject({ memories_left: 3 });
  expect(coverages[0]).not.toHaveProperty('unreadable');
  expect(coverages[1]).toMatchObject({ unreadable: 1 });
});

test('ends the reads of a cancelled search', async () => {
  addMemories(1);
  let signal: AbortSignal | undefined;
  instead = (id, request) => {
    if (id !== 'm00') return undefined;
    ({ signal } = request);
    return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
  };
  const leaving = new AbortController();
  const assistant = await open({ searchTimeout: 600_000 });
  const left = assistant.call('search', { query: 'zebras' }, { signal: leaving.signal });
  await vi.waitFor(() => expect(signal).toBeDefined());
  leaving.abort();
  await expect(left).rejects.toThrow();
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  // Its own timeout would abort it too, later.
  expect(String(signal?.reason)).toMatch(/^AbortError/);
});

test('the transcripts of a search are cached without media URLs', async () => {
  addMemories(1);
  const client = new MemoryClient({ baseUrl, apiKey, fetch: mock.fetch });
  expect((await client.getMemory('m00')).audio_url).not.toBeNull();
  const source = createLiveSource(client);
  const question = { text: 'zebras', query: parseQuery('zebras'), since: 0, until: Date.parse('2026-01-01T00:00:00Z') };
  const hits: unknown[] = [];
  const { signal } = new AbortController();
  await source.search(question, { after: undefined, signal, take: ({ memory }) => hits.push(memory) > 0 });
  expect(hits).toMatchObject([{ id: 'm00', audio_url: null, video_url: null, preview_image_url: null }]);
});

test('the list and the transcripts are cached while they are fresh and the list says the same', async () => {
  addMemories(3);
  const assistant = await open({ listMaxAge: 1_000, transcriptMaxAge: 5_000 });
  const requestsOf = async (query: string) => {
    paths = [];
    await assistant.call('search', { query });
    return paths;
  };
  expect(await requestsOf('zebras')).toHaveLength(4);
  expect(await requestsOf('talk about')).toEqual([]);
  now += 1_001;
  mock.memories.update('m01', { name: 'Other' });
  expect(await requestsOf('zebras')).toEqual(['', 'm01']);
  now += 5_000;
  expect(await requestsOf('zebras')).toEqual(['', 'm00', 'm02']);
});

test('reads transcripts again that exceed the cache, or whose memory is processing', async () => {
  addMemories(3);
  mock.memories.addProcessing({ id: 'm99', started_at: '2025-01-01T00:00:00.000Z' });
  const assistant = await open({ cacheBytes: 2_000 });
  await assistant.call('search', { query: 'nothing' });
  paths = [];
  await assistant.call('search', { query: 'nothing' });
  expect(paths).toContain('m99');
  expect(paths.length).toBeGreaterThan(1);
});

test('with a cache of 0 bytes, every search reads the transcripts again', async () => {
  addMemories(2);
  const assistant = await open({ cacheBytes: 0 });
  await assistant.call('search', { query: 'zebras' });
  paths = [];
  await assistant.call('search', { query: 'zebras' });
  expect(paths).toEqual(['m00', 'm01']);
});

test.each([{ transcriptRequests: 0 }, { transcriptRequests: 1.5 }, { concurrency: 0 }, { searchTimeout: Number.NaN }])(
  'rejects %j: a search would never end',
  (options) => {
    const client = new MemoryClient({ baseUrl, apiKey, fetch: mock.fetch });
    const [option] = Object.keys(options);
    expect(() => createLiveSource(client, options)).toThrow(expect.objectContaining({ code: 'configuration', option }));
  },
);

test('shares one list between calls in flight, even if one call is cancelled', async () => {
  addMemories(1);
  let release = () => {};
  instead = (id) =>
    id === ''
      ? new Promise<undefined>((resolve) => (release = () => resolve(undefined))).then(() =>
          mock.fetch(new Request(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } })),
        )
      : undefined;
  const assistant = await open();
  const leaving = new AbortController();
  const left = assistant.call('list_memories', {}, { signal: leaving.signal });
  const stays = assistant.call('list_memories');
  await vi.waitFor(() => expect(paths).toEqual(['']));
  leaving.abort();
  await expect(left).rejects.toThrow();
  release();
  expect((await stays).content.memories).toHaveLength(1);
  expect(paths).toEqual(['']);
});

test('reads the memory again in fetch and verify_quote', async () => {
  addMemories(1);
  const assistant = await open();
  const [{ receipt }] = (await assistant.call('search', { query: 'zebras' })).content.results;
  const [segment] = mock.memories.all()[0]?.transcript?.segments ?? [];
  mock.memories.update('m00', { transcript: { segments: [{ ...segment, text: `So: ${segment?.text}` } as never] } });
  now += 60_000;
  const { receipts } = (await assistant.call('verify_quote', { receipt })).content;
  const readAt = '2026-01-01T00:01:00.000Z';
  expect([receipt.read_at, receipts[0].read_at]).toEqual(['2026-01-01T00:00:00.000Z', readAt]);
  const quoted = await assistant.call('verify_quote', { id: 'm00', quote: 'zebras' });
  expect(quoted.content.receipts[0].read_at).toBe(readAt);
  mock.memories.update('m00', { transcript: { segments: [] } });
  expect((await assistant.call('fetch', { id: 'm00' })).content.metadata.total_segments).toBe(0);
  expect((await assistant.call('verify_quote', { id: 'm00', quote: 'zebras' })).content.status).toBe('refuted');
});
