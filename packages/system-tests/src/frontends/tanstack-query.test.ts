// @vitest-environment jsdom
import { isMediaUrlExpired, type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '@memory-read/client';
import { memoriesQuery, memoryQuery, memoryReadKeys } from '@memory-read/client/query';
import { createMemoryMock, type FetchMemoryMock } from '@memory-read/msw/fetch';
import * as oldest from '@tanstack/query-core-5.0';
import * as newest from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const MINUTE = 60_000;
// TanStack Query reads again in browsers only.
const inBrowser = { dangerouslyAllowBrowser: true };
/** Servers send whole seconds. */
const seconds = (date: Date | undefined) => Math.floor(Number(date) / 1000);

describe.each([
  ['the newest version', newest],
  ['5.0.0', oldest as unknown as typeof newest],
] as const)('TanStack Query, %s', (_version, { QueryClient, QueryObserver, dehydrate, hydrate }) => {
  let mock: FetchMemoryMock;
  let client: MemoryClient;
  let queries: InstanceType<typeof QueryClient>;

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
    mock = createMemoryMock({ memories: [] });
    client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch, ...inBrowser });
    queries = new QueryClient();
  });
  afterEach(() => {
    queries.clear();
    vi.useRealTimers();
  });

  /** Observes a query as a mounted component does. */
  function observe<Data>(query: ReturnType<typeof memoryQuery> | ReturnType<typeof memoriesQuery>) {
    const observer = new QueryObserver(queries, query as unknown as ConstructorParameters<typeof QueryObserver>[1]);
    const stop = observer.subscribe(() => {});
    return { stop, observer, data: () => observer.getCurrentResult().data as Data };
  }

  /** Lets requests finish that wait for nothing. */
  const settle = () => vi.advanceTimersByTimeAsync(10);
  const add = (overrides: Parameters<typeof mock.memories.add>[0] = {}) =>
    mock.memories.add({
      id: 'mem_1',
      started_at: '2026-11-20T11:00:00Z',
      media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } },
      ...overrides,
    });

  test('each URL that is shown plays, at the cost of one read an hour', async () => {
    add();
    const { data } = observe<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    for (let minutes = 0; minutes < 180; minutes += 5) {
      const url = data().audio_url ?? '';
      expect([minutes, isMediaUrlExpired(url), (await mock.fetch(url)).status]).toEqual([minutes, false, 200]);
      await vi.advanceTimersByTimeAsync(5 * MINUTE);
    }
    expect(mock.requests.filter(({ operation }) => operation === 'getMemory')).toHaveLength(4);
  });

  test('a read keeps every object that has not changed, and brings its response and its expiry', async () => {
    add();
    const { data, observer } = observe<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    const before = data();
    const first = responseInfo(before)?.requestId;
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect((await client.getMemory('mem_1')).audio_url).not.toBe(before.audio_url);
    await observer.refetch();
    expect(data()).toBe(before);
    expect(responseInfo(data())?.requestId).not.toBe(first);
    mock.memories.update('mem_1', { name: 'Renamed' });
    await observer.refetch();
    expect([data().name, data().audio_url]).toEqual(['Renamed', before.audio_url]);
    expect(before.name).not.toBe('Renamed');
    expect(data().transcript).toBe(before.transcript);
    expect(seconds(mediaExpiresAt(data()))).toBe(seconds(new Date('2026-11-20T13:00:00Z')));
    expect(responseInfo(data())?.receivedAt).toEqual(new Date());
  });

  test('a new memory leaves the others of the list alone', async () => {
    add();
    const { data, observer } = observe<Memory[]>(memoriesQuery(client));
    await settle();
    const [before] = data();
    add({ id: 'mem_2', started_at: '2026-11-20T11:30:00Z' });
    await observer.refetch();
    expect(data().map(({ id }) => id)).toEqual(['mem_2', 'mem_1']);
    expect(data()[1]).toBe(before);
    for (const memory of [...data(), data()]) expect(responseInfo(memory)?.status).toBe(200);
    expect(data().map((memory) => mediaExpiresAt(memory))).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test('an error that no repeat cures is not repeated; a server error costs three attempts a minute until it ends', async () => {
    const missing = observe(memoryQuery(client, 'mem_0'));
    await vi.advanceTimersByTimeAsync(120 * MINUTE);
    expect(missing.observer.getCurrentResult().error).toMatchObject({ code: 'not_found' });
    expect(mock.requests).toHaveLength(1);
    const fault = mock.faults.next({ status: 500 }, { times: Number.POSITIVE_INFINITY });
    const failing = observe(memoriesQuery(client));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(failing.observer.getCurrentResult().error).toMatchObject({ code: 'server', request: { attempts: 3 } });
    expect(mock.requests).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(mock.requests).toHaveLength(10);
    fault.cancel();
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(failing.observer.getCurrentResult()).toMatchObject({ error: null, data: [] });
    expect(mock.requests).toHaveLength(11);
  });

  test('a memory that was removed while it is shown is read once more, and then no longer', async () => {
    add();
    const { data, observer } = observe<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    mock.memories.remove('mem_1');
    await vi.advanceTimersByTimeAsync(300 * MINUTE);
    expect(observer.getCurrentResult().error).toMatchObject({ code: 'not_found' });
    expect(data().id).toBe('mem_1');
    expect(mock.requests).toHaveLength(2);
  });

  test('a query that was stored as JSON has an expiry, and is read again before it', async () => {
    add();
    const first = observe<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    first.stop();
    const stored = JSON.parse(JSON.stringify(dehydrate(queries)));
    queries = new QueryClient();
    hydrate(queries, stored);
    const { data } = observe<Memory>(memoryQuery(client, 'mem_1'));
    const copy = data();
    expect(mock.requests).toHaveLength(1);
    expect(mediaExpiresAt(copy)).toEqual(new Date('2026-11-20T13:00:00Z'));
    await vi.advanceTimersByTimeAsync(54 * MINUTE);
    expect(mock.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(mock.requests).toHaveLength(2);
    expect(data().transcript).toBe(copy.transcript);
    expect(mediaExpiresAt(data())?.getTime()).toBeGreaterThan(Date.parse('2026-11-20T13:50:00Z'));
  });

  test('cancels a query without observers', async () => {
    add();
    mock.faults.next({ delay: 5_000 });
    const { stop } = observe(memoryQuery(client, 'mem_1'));
    await settle();
    const key = memoryReadKeys().memory('mem_1');
    expect(queries.getQueryState(key)?.fetchStatus).toBe('fetching');
    stop();
    await settle();
    expect(queries.getQueryState(key)).toMatchObject({ fetchStatus: 'idle', data: undefined });
  });

  test('accounts of one cache are kept apart by their scope', async () => {
    const other = mock.accounts.add();
    add();
    mock.memories.add({ id: 'mem_2' }, { userId: other.userId });
    const ofOther = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: other.apiKey, fetch: mock.fetch, ...inBrowser });
    const own = observe<Memory[]>(memoriesQuery(client, { scope: 'ada' }));
    const others = observe<Memory[]>(memoriesQuery(ofOther, { scope: 'grace' }));
    await settle();
    expect([own, others].map(({ data }) => data().map(({ id }) => id))).toEqual([['mem_1'], ['mem_2']]);
    queries.removeQueries({ queryKey: memoryReadKeys('ada').all });
    expect(
      queries
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    ).toEqual([memoryReadKeys('grace').memories]);
  });
});
