import { type ListedMemory, type Memory, memoryListSchema, memorySchema } from '@memory-read/contract';
import { edgeCases } from '@memory-read/fixtures';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryMock, type MemoryMock } from './create-memory-mock.ts';

const server = setupServer();
beforeAll(() => server.listen());
afterAll(() => server.close());

let mock: MemoryMock;
beforeEach(() => {
  mock = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
  server.use(...mock.handlers);
});
afterEach(() => {
  server.resetHandlers();
  mock.reset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The two ways to send requests to the mock. Each test uses both. */
const ways = {
  MSW: (path: string, init?: RequestInit) => fetch(mock.baseUrl + path, withKey(init)),
  'mock.fetch': (path: string, init?: RequestInit) => mock.fetch(mock.baseUrl + path, withKey(init)),
};

function withKey(init: RequestInit = {}): RequestInit {
  return { ...init, headers: { 'x-api-key': mock.apiKey, ...init.headers } };
}

async function listed(from = mock): Promise<ListedMemory[]> {
  const response = await from.fetch(`${from.baseUrl}/v1/memories`, { headers: { 'x-api-key': from.apiKey } });
  expect(response.status).toBe(200);
  return response.json();
}

async function memoryOf(from: MemoryMock, memoryId: string): Promise<Memory> {
  const headers = { 'x-api-key': from.apiKey };
  return (await from.fetch(`${from.baseUrl}/v1/memories/${memoryId}`, { headers })).json();
}

for (const [way, ask] of Object.entries(ways)) {
  test(`${way}: contains twelve memories by default, newest first, which follow the contract`, async () => {
    const memories: ListedMemory[] = await (await ask('/v1/memories')).json();
    expect(memoryListSchema['~standard'].validate(memories).issues).toBeUndefined();
    expect(memories).toHaveLength(12);
    const starts = memories.map(({ started_at }) => started_at);
    expect(starts).toEqual([...starts].sort().reverse());
    expect(memories.some(({ is_processing }) => is_processing)).toBe(true);
    expect(memories.filter(({ audio_url }) => audio_url).length).toBeGreaterThan(6);
    const memory = await (await ask(`/v1/memories/${memories[0]?.id}`)).json();
    expect(memorySchema['~standard'].validate(memory).issues).toBeUndefined();
  });

  // The golden responses prove what the mock answers. A path like that of a file is one that MSW lets through.
  test.each(['/', '/recording.mp3?sig=1', '/v1/data.json', '/media'])(
    `${way}: %s gets the 404 of the API, and does not reach the network`,
    async (path) => {
      const response = await ask(path);
      expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
    },
  );

  test(`${way}: a media URL works for an hour of the mock clock`, async () => {
    const { id } = mock.memories.add();
    const urlOf = async (): Promise<string> => (await memoryOf(mock, id)).audio_url ?? '';
    const statusOf = async (url: string) => (await ask(url.slice(mock.baseUrl.length))).status;
    // The lifetime does not depend on the fraction of the second in which it starts.
    for (const fraction of [0, 999]) {
      mock.clock.set(`2026-01-01T12:00:00.${String(fraction).padStart(3, '0')}Z`);
      const url = await urlOf();
      expect(url.startsWith(`${mock.mediaUrl}/`)).toBe(true);
      mock.clock.advance(3_600_000 - 1);
      expect(await statusOf(url)).toBe(200);
      mock.clock.advance(2);
      expect([await statusOf(url), await statusOf(await urlOf())]).toEqual([403, 200]);
    }
  });

  test(`${way}: every response is complete and has the time of the mock clock`, async () => {
    mock.clock.set('2031-07-08T09:10:11.900Z');
    for (const path of ['/v1/memories', '/v1/none', '/media/a.wav']) {
      expect((await ask(path)).headers.get('date')).toBe('Tue, 08 Jul 2031 09:10:11 GMT');
    }
  });

  test(`${way}: a response states the length of its body in bytes`, async () => {
    mock.memories.add({ id: 'mem_1', name: 'Ünïcödé' });
    for (const path of ['/v1/memories', '/v1/memories/mem_1', '/v1/memories/mem_2']) {
      const response = await ask(path);
      const length = response.headers.get('content-length');
      expect([path, length]).toEqual([path, String((await response.arrayBuffer()).byteLength)]);
    }
    expect((await ask('/v1/memories', { method: 'HEAD' })).headers.get('content-length')).toBeNull();
  });
}

test('a response is complete before it is returned, so that it cannot be cut', async () => {
  for (let count = 0; count < 60; count += 1) mock.memories.add();
  const response = await ways['mock.fetch']('/v1/memories');
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(JSON.parse(new TextDecoder().decode(value))).toHaveLength(72);
});

test('a request that is aborted already has no effect', async () => {
  const reason = new Error('gone');
  await expect(mock.fetch(mock.baseUrl, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(mock.requests).toEqual([]);
});

test('ignores other origins, and paths that only begin alike', async () => {
  const nested = createMemoryMock({ baseUrl: 'https://app.example.test/api/' });
  expect([nested.baseUrl, nested.mediaUrl]).toEqual([
    'https://app.example.test/api',
    'https://app.example.test/api/media',
  ]);
  for (const url of ['https://app.example.test/apis', 'https://app.example.test/', 'http://app.example.test/api']) {
    await expect(nested.fetch(`${url}?key=secret`)).rejects.toThrow(
      new TypeError(
        `Failed to fetch from the mock: it does not serve ${url}. Use a URL below ${nested.baseUrl} or ${nested.mediaUrl}.`,
      ),
    );
  }
  expect(await listed(nested)).toHaveLength(12);
  expect((await nested.fetch(nested.baseUrl)).status).toBe(404);
});

test('a clock with now sets new memories and processing, not the system time or fake timers', async () => {
  vi.useFakeTimers();
  const { id, ...added } = mock.memories.addProcessing({ name: 'Stand-up' }, { finishAfter: 60_000 });
  expect(added).toMatchObject({
    started_at: '2026-01-01T11:55:00.000Z',
    ended_at: '2026-01-01T12:00:00.000Z',
    transcript: null,
    summary: null,
  });
  const isProcessing = async () => (await listed()).find((memory) => memory.id === id)?.is_processing;
  expect(await isProcessing()).toBe(true);
  vi.advanceTimersByTime(3_600_000);
  mock.clock.advance(59_999);
  expect(await isProcessing()).toBe(true);
  mock.clock.advance(1);
  expect(await isProcessing()).toBe(false);
  expect(mock.memories.add().ended_at).toBe('2026-01-01T12:01:00.000Z');
  expect(mock.clock.now()).toEqual(new Date('2026-01-01T12:01:00Z'));
});

test('a clock without now follows Date.now(), which fake timers lead', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-05-06T07:00:00Z') });
  const running = createMemoryMock();
  const { id } = running.memories.addProcessing({}, { finishAfter: 60_000 });
  const due = running.memories.addProcessing({}, { finishAfter: 60_000 });
  expect(due.ended_at).toBe('2030-05-06T07:00:00.000Z');
  vi.setSystemTime('2030-05-06T07:00:59.999Z');
  expect((await memoryOf(running, id)).is_processing).toBe(true);
  vi.setSystemTime('2030-05-06T07:01:00Z');
  expect(() => running.memories.finishProcessing(due.id)).toThrow('is already processed');
  const { is_processing, summary, audio_url } = await memoryOf(running, id);
  expect([is_processing, summary === null]).toEqual([false, false]);
  const expires = Number(new URL(audio_url ?? '').searchParams.get('expires'));
  expect(expires).toBe(Date.parse('2030-05-06T08:01:00Z') / 1000);

  running.clock.advance(3_600_000);
  expect(running.clock.now()).toEqual(new Date('2030-05-06T08:01:00Z'));
  expect((await running.fetch(audio_url ?? '')).status).toBe(403);
  expect((await running.fetch(running.baseUrl)).headers.get('date')).toBe('Mon, 06 May 2030 08:01:00 GMT');
  vi.setSystemTime('2030-05-06T07:01:05Z');
  expect(running.clock.now()).toEqual(new Date('2030-05-06T08:01:05Z'));
  running.clock.set('2029-01-01T00:00:00Z');
  vi.setSystemTime('2030-05-06T07:01:06Z');
  expect(running.clock.now()).toEqual(new Date('2029-01-01T00:00:01Z'));
  running.reset();
  expect(running.clock.now()).toEqual(new Date('2030-05-06T07:01:06Z'));
});

test('a memory in processing finishes by passing time, also if nothing but a list is read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-05-06T07:00:00Z') });
  const running = createMemoryMock({ memories: [] });
  running.memories.addProcessing({}, { finishAfter: 1_000 });
  const states = async () => [running.memories.all()[0]?.is_processing, (await listed(running))[0]?.is_processing];
  expect(await states()).toEqual([true, true]);
  vi.setSystemTime('2030-05-06T07:00:01Z');
  expect((await listed(running))[0]?.is_processing).toBe(false);
  expect(await states()).toEqual([false, false]);
});

test('without now, the generated memories are the same at any time, and a fresh memory is playable now', async () => {
  const own = createMemoryMock();
  expect(own.memories.all()).toEqual(createMemoryMock({ now: '2026-01-01T12:00:00Z' }).memories.all());
  const before = Date.now();
  const memory = await memoryOf(own, own.memories.all().find(({ media }) => media.audio)?.id ?? '');
  const expires = Number(new URL(memory.audio_url ?? '').searchParams.get('expires')) * 1_000;
  expect(expires).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(expires).toBeLessThan(Date.now() + 3_601_000);
});

test('expireMediaUrls ends every URL given out so far, without a change of the time', async () => {
  const { id } = mock.memories.add();
  const urls = async () => {
    const { audio_url, video_url, preview_image_url } = await memoryOf(mock, id);
    return [audio_url, video_url, preview_image_url].map((url) => url ?? '');
  };
  const statuses = async (all: string[]) => [
    ...new Set(await Promise.all(all.map(async (url) => (await mock.fetch(url)).status))),
  ];
  const first = await urls();
  expect(await statuses(first)).toEqual([200]);
  const time = mock.clock.now();
  mock.expireMediaUrls();
  const refused = await mock.fetch(first[0] ?? '');
  expect([refused.status, await refused.json()]).toEqual([403, { detail: 'Media URL has expired' }]);
  const second = await urls();
  expect(mock.clock.now()).toEqual(time);
  expect([await statuses(first), await statuses(second)]).toEqual([[403], [200]]);
  mock.expireMediaUrls();
  expect([await statuses([...first, ...second]), await statuses(await urls())]).toEqual([[403], [200]]);
  // A changed URL is still one that the storage never signed.
  const forged = await mock.fetch((first[0] ?? '').replace('audio', 'video'));
  expect(await forged.json()).toEqual({ detail: 'Media URL is not valid' });
  mock.reset();
  mock.memories.add();
  expect(await statuses(first)).toEqual([200]);
});

test('the clock can go back, and accepts a time without an offset as UTC', () => {
  mock.clock.set('2025-12-31T10:00');
  expect(mock.clock.now()).toEqual(new Date('2025-12-31T10:00:00Z'));
  mock.clock.set(new Date(0));
  expect(mock.clock.now()).toEqual(new Date(0));
  const { id } = mock.memories.addProcessing({}, { finishAfter: 1000 });
  mock.clock.set('1970-01-01T00:00:01Z');
  expect(mock.memories.all().find((memory) => memory.id === id)?.is_processing).toBe(false);
});

test.each<[unknown, string]>([
  [Number.NaN, 'milliseconds is NaN, which is not a number of at least 0. Pass 0 or more.'],
  [-1, 'milliseconds is -1, which is not a number'],
  ['5', 'milliseconds is "5", which is not a number'],
  [1e20, '100000000000000000000 ms later, the year is after 9999. Pass fewer milliseconds.'],
])('the clock cannot be advanced by %j', (milliseconds, reason) => {
  expect(() => mock.clock.advance(milliseconds as number)).toThrow(`Failed to advance the clock: ${reason}`);
  expect(mock.clock.now()).toEqual(new Date('2026-01-01T12:00:00Z'));
});

test.each<[unknown, string]>([
  ['1', 'is "1", which is not a valid date. Pass a Date or an ISO 8601 date-time such as'],
  ['2026-02-30T00:00:00Z', 'is "2026-02-30T00:00:00Z", which is not a valid date'],
  ['2026-01-01 12:00', 'is "2026-01-01 12:00", which is not a valid date'],
  [0, 'is 0, which is not a valid date'],
  [new Date(Number.NaN), 'is Invalid Date, which is not a valid date'],
  ['0001-01-01T00:00:00Z', 'is "0001-01-01T00:00:00Z", which is not in the years 1970 to 9999. Pass a date of these'],
  [new Date(-1), 'is not in the years 1970 to 9999. Pass a date of these years.'],
])('the clock cannot be set to %s, nor start there', (date, reason) => {
  expect(() => mock.clock.set(date as Date)).toThrow(RangeError);
  expect(() => mock.clock.set(date as Date)).toThrow(reason);
  expect(() => createMemoryMock({ now: date as Date })).toThrow(reason);
  expect(mock.clock.now()).toEqual(new Date('2026-01-01T12:00:00Z'));
});

test.each(['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])('the API also responds at %s', async (date) => {
  mock.clock.set(date);
  mock.memories.add();
  const [memory] = (await listed()).filter(({ name }) => name === 'Memory 1');
  expect((await mock.fetch(memory?.audio_url ?? '')).status).toBe(200);
});

test('reset restores memories, accounts, keys, clock, faults and requests', async () => {
  const before = await listed();
  const started = mock.requests;
  const { userId, apiKey } = mock.accounts.add();
  mock.memories.add();
  mock.memories.add({}, { userId });
  mock.memories.remove(before[3]?.id ?? '');
  mock.memories.update(before[1]?.id ?? '', { name: 'Other' });
  mock.accounts.deactivateKey(mock.apiKey);
  mock.clock.advance(3_600_000);
  mock.faults.always({ status: 500 });
  mock.faults.next('stall');
  mock.reset();
  expect(started).toEqual([]);
  expect(await listed()).toEqual(before);
  const response = await mock.fetch(`${mock.baseUrl}/v1/memories`, { headers: { 'x-api-key': apiKey } });
  expect(response.status).toBe(401);
  expect(() => mock.memories.all({ userId })).toThrow('the account "user_2" does not exist');
});

test('a reset stops the processing of added memories and restarts the ids', () => {
  const first = mock.memories.addProcessing({}, { finishAfter: 1000 });
  mock.reset();
  const again = mock.memories.addProcessing({});
  expect(again).toEqual(first);
  mock.clock.advance(1000);
  expect(mock.memories.all()[0]?.id).not.toBe(undefined);
  expect(mock.memories.all().find(({ id }) => id === again.id)?.is_processing).toBe(true);
});

test('the same options give the same memories and keys, and another seed gives others', async () => {
  expect(await listed(createMemoryMock({ now: '2026-01-01T12:00:00Z' }))).toEqual(await listed());
  const other = createMemoryMock({ seed: 'other' });
  expect((await listed(other)).map(({ id }) => id)).not.toEqual((await listed()).map(({ id }) => id));
  expect(other.apiKey).not.toBe(mock.apiKey);
});

test('50 parallel mocks with their own URLs do not affect each other', async () => {
  const mocks = Array.from({ length: 50 }, (_, index) =>
    createMemoryMock({ baseUrl: `https://m${index}.test`, now: '2026-01-01T12:00:00Z' }),
  );
  server.use(...mocks.flatMap(({ handlers }) => handlers));
  await Promise.all(
    mocks.map(async (own, index) => {
      const ask = (path: string) => fetch(own.baseUrl + path, { headers: { 'x-api-key': own.apiKey } });
      const added = own.memories.add({ name: `Of ${index}` });
      own.clock.advance(index * 1000);
      own.faults.next({ status: 503, detail: `fault ${index}` }, { match: { memoryId: added.id } });
      const failed = await ask(`/v1/memories/${added.id}`);
      expect(await failed.json()).toEqual({ detail: `fault ${index}` });
      const memory = await (await ask(`/v1/memories/${added.id}`)).json();
      expect(memory.name).toBe(`Of ${index}`);
      expect(new URL(memory.audio_url).host).toBe(`m${index}.test`);
      expect((await fetch(memory.audio_url)).status).toBe(200);
      const expires = Number(new URL(memory.audio_url).searchParams.get('expires'));
      expect(expires).toBe(Date.parse('2026-01-01T13:00:00Z') / 1000 + index);
      expect(own.requests.map(({ status }) => status)).toEqual([503, 200, 200]);
    }),
  );
  expect(new Set(mocks.map(({ apiKey }) => apiKey)).size).toBe(50);
});

test('memories of the test replace the default ones, and may be edge cases', async () => {
  const own = createMemoryMock({ memories: Object.values(edgeCases) });
  expect((await listed(own)).map(({ id }) => id).sort()).toEqual(
    Object.values(edgeCases)
      .map(({ id }) => id)
      .sort(),
  );
  expect(await listed(createMemoryMock({ memories: [] }))).toEqual([]);
  expect(own.memories.all()).toEqual(expect.arrayContaining([edgeCases.overlappingSegments]));
});

test('without auth, every request belongs to the default account, whatever it contains', async () => {
  const own = createMemoryMock({ baseUrl: 'https://app.test/api', auth: 'none' });
  for (const headers of [{}, { authorization: 'Session 1' }, { authorization: 'Bearer x', 'x-api-key': 'y' }]) {
    const response = await own.fetch(`${own.baseUrl}/v1/memories`, { headers });
    expect([response.status, (await response.json()).length]).toEqual([200, 12]);
  }
  const { userId } = own.accounts.add();
  own.memories.add({ id: 'mem_other' }, { userId });
  expect((await own.fetch(`${own.baseUrl}/v1/memories/mem_other`)).status).toBe(404);
  expect((await own.fetch(`${own.baseUrl}/v1/memories`, { method: 'POST', body: '{}' })).status).toBe(405);
  expect(own.requests[0]?.auth).toBe('none');
});

test('a relative base URL belongs to the origin of the page, and is invalid without one', async () => {
  expect(() => createMemoryMock({ baseUrl: '/api' })).toThrow('baseUrl is relative, and there is no page');
  for (const href of ['http://localhost:3000/app/index.html', 'http://localhost:3000/']) {
    vi.stubGlobal('location', { href });
    const own = createMemoryMock({ baseUrl: '/api', auth: 'none' });
    expect(own.baseUrl).toBe('http://localhost:3000/api');
    expect((await own.fetch('http://localhost:3000/api/v1/memories')).status).toBe(200);
  }
  vi.stubGlobal('location', { href: 'about:blank' });
  expect(() => createMemoryMock({ baseUrl: '/api' })).toThrow('there is no page');
});

test('mock.fetch accepts a relative URL like the fetch of a page, and the response has its own URL', async () => {
  vi.stubGlobal('location', { href: 'http://localhost:3000/app/' });
  const own = createMemoryMock({ baseUrl: '/api', auth: 'none' });
  const response = await own.fetch('/api/v1/memories?x=1#part');
  expect([response.status, response.url]).toEqual([200, 'http://localhost:3000/api/v1/memories?x=1']);
  expect((await own.fetch(own.baseUrl)).url).toBe('http://localhost:3000/api');
});

test('it works on insecure origins, where there is no crypto.subtle', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const own = createMemoryMock();
  const url = (await listed(own)).find(({ audio_url }) => audio_url)?.audio_url ?? '';
  expect((await own.fetch(url)).status).toBe(200);
});

const isNotPlain = 'is not an http or https URL without credentials, query and fragment';
const url = 'https://a.test';
const { oneWord } = edgeCases;

test.each([
  [{ baseURL: 'https://a.test' }, 'the option "baseURL" is not supported. Use one of: baseUrl, '],
  [{ auth: 'bearer' }, `auth is "bearer", which is not supported. Use 'key' or 'none'.`],
  [{ baseUrl: 'a.test' }, `baseUrl ${isNotPlain}`],
  [{ baseUrl: 'https://user:secret@a.test' }, `baseUrl ${isNotPlain}`],
  [{ mediaUrl: 'https://a.test/?token=secret' }, `mediaUrl ${isNotPlain}`],
  [{ baseUrl: `${url}/api`, mediaUrl: url }, `mediaUrl (${url}) contains baseUrl (${url}/api)`],
  [{ baseUrl: `${url}/api`, mediaUrl: `${url}/api` }, `mediaUrl (${url}/api) contains baseUrl`],
  [{ now: 'soon' }, 'Failed to create the mock: now is "soon", which is not a valid date'],
  [{ baseUrl: 5 }, 'baseUrl is 5, which is not a string. Pass a URL.'],
  [{ mediaUrl: null, baseUrl: undefined, seed: null }, 'seed is not a string or a finite number. Pass a string or a'],
  [{ seed: Number.NaN }, 'seed is not a string or a finite number. Pass a string or a finite number.'],
  [{ memories: {} }, 'memories is not an array. Pass records, such as those from createMemories.'],
  [{ memories: [oneWord, oneWord] }, `memories contains the id "${oneWord.id}" twice. Give each record its own id.`],
  [null, 'the options argument is null, which is not an object. Pass an object.'],
  [{ memories: [{ id: 'mem_1' }] }, 'Failed to store memory "mem_1": name'],
])('rejects the options %j', (options, message) => {
  expect(() => createMemoryMock(options as never)).toThrow(message);
  expect(() => createMemoryMock(options as never)).not.toThrow('secret');
});

test('the parts of a mock work on their own', async () => {
  const {
    fetch: fetchOfMock,
    memories: { add, all, remove },
    clock: { advance, now },
    reset,
    requests,
  } = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
  remove(add().id);
  advance(1);
  expect(all()).toHaveLength(12);
  expect((await fetchOfMock(new Request('https://api.memory-read.test/v1/memories'))).status).toBe(401);
  expect(requests).toHaveLength(1);
  reset();
  expect(now()).toEqual(new Date('2026-01-01T12:00:00Z'));
});

test('a request to the root of the media gets the response of the API and is logged', async () => {
  const root = await ways['mock.fetch']('/media');
  expect([root.status, root.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  const below = await ways['mock.fetch']('/media/');
  expect([below.status, below.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
  expect(mock.requests.map(({ operation }) => operation)).toEqual([null, 'media']);
});
