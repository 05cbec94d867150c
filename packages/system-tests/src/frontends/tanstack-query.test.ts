// @vitest-environment jsdom
import { type ListedMemory, type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '@memory-read/client';
import { type MemoryReadQuery, memoriesQuery, memoryQuery, memoryReadKeys } from '@memory-read/client/query';
import { createMemoryMock, type FetchMemoryMock } from '@memory-read/msw/fetch';
import * as oldest from '@tanstack/query-core-5.0';
import * as newest from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { goOnline, setVisibility } from './page-events.ts';

const MINUTE = 60_000;
const start = Date.parse('2026-11-20T12:00:00Z');
const at = (minutes: number) => new Date(start + minutes * MINUTE);

type Query = MemoryReadQuery<Memory> | MemoryReadQuery<ListedMemory[]>;
type Options = Record<string, unknown>;

describe.each([
  ['the newest version', newest],
  ['5.0.0', oldest as unknown as typeof newest],
] as const)('TanStack Query, %s', (_version, { QueryClient, QueryObserver, dehydrate, hydrate }) => {
  let mock: FetchMemoryMock;
  let client: MemoryClient;
  let queries: InstanceType<typeof QueryClient>;
  /** What is between the page and the server. */
  let network: typeof globalThis.fetch;
  const ends: (() => void)[] = [];

  beforeEach(() => {
    vi.useFakeTimers({ now: start });
    mock = createMemoryMock({ memories: [] });
    network = mock.fetch;
    client = clientOf(mock.apiKey);
    useCache();
    add('mem_1', { started_at: '2026-11-20T11:00:00Z' });
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    setVisibility('visible');
    vi.useRealTimers();
  });

  function clientOf(apiKey: string): MemoryClient {
    const fetch: typeof globalThis.fetch = (...request) => network(...request);
    // TanStack Query reads again in browsers only.
    return new MemoryClient({ baseUrl: mock.baseUrl, apiKey, fetch, dangerouslyAllowBrowser: true });
  }

  function useCache(): void {
    const opened = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } });
    opened.mount();
    ends.push(() => {
      opened.clear();
      opened.unmount();
    });
    queries = opened;
  }

  function add(id: string, overrides: Parameters<typeof mock.memories.add>[0] = {}): void {
    mock.memories.add({ id, media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } }, ...overrides });
  }

  /** Observes a query, as a mounted component does. */
  function show<Data>(query: Query, own: Options = {}) {
    const options = { ...query, ...own };
    const observer = new QueryObserver(queries, options as never);
    const stop = observer.subscribe(() => {});
    ends.push(stop);
    return {
      options,
      observer,
      stop,
      set: (changes: Options) => observer.setOptions({ ...options, ...changes } as never),
      data: () => observer.getCurrentResult().data as Data,
    };
  }
  type Shown = ReturnType<typeof show<unknown>>;

  /** Lets requests finish that wait for nothing. */
  const settle = () => vi.advanceTimersByTimeAsync(10);
  const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE);
  const urlOf = ({ data }: Shown): string => {
    const one = [data()].flat()[0] as Memory | string;
    return typeof one === 'string' ? one : (one.audio_url ?? '');
  };
  const statusOf = async (shown: Shown) => (await mock.fetch(urlOf(shown))).status;
  const readsOf = (path: RegExp) => mock.requests.filter((request) => path.test(request.path)).length;

  /** Returns the response with other headers, as a cache or a browser does. */
  function withHeaders(response: Response, changes: Record<string, string | null>): Response {
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return new Response(response.body, { status: response.status, headers });
  }

  const isHiddenDate = () => {
    network = async (...request) => withHeaders(await mock.fetch(...request), { date: null });
  };
  const selectCopy = (memory: Memory) => ({ ...memory });

  test.each<[string, Options, () => void]>([
    ['of a memory', {}, () => {}],
    ['of a copy by select', { select: selectCopy }, () => {}],
    [
      'of a copy by select, from a server whose clock is ahead',
      { select: selectCopy },
      () => mock.clock.advance(20 * MINUTE),
    ],
    ['of a server whose clock is behind', {}, () => mock.clock.set(at(-20))],
    [
      'of a server whose clock is ahead, without a readable Date',
      {},
      () => {
        isHiddenDate();
        mock.clock.advance(20 * MINUTE);
      },
    ],
    ['while the component renders each second', { isRendering: true }, () => {}],
  ])('each URL that is shown plays: %s', async (_name, { isRendering, ...own }, prepare) => {
    prepare();
    const shown = show(memoryQuery(client, 'mem_1'), own);
    await settle();
    for (let minutes = 0; minutes < 180; minutes += 5) {
      expect([minutes, await statusOf(shown)]).toEqual([minutes, 200]);
      if (minutes === 30) await shown.observer.refetch();
      for (let seconds = 0; seconds < 300; seconds += 1) {
        if (isRendering) shown.set({});
        await vi.advanceTimersByTimeAsync(1_000);
      }
    }
    expect(readsOf(/mem_1/)).toBeLessThanOrEqual(5);
  });

  describe('a URL that expires while nothing reads', () => {
    const memory = () => memoryQuery(client, 'mem_1');

    /** Reads at 0 and at 30, where the old URL is kept until it expires at 60. */
    async function keep(query: Query, own?: Options): Promise<Shown> {
      const shown = show(query, own);
      await settle();
      const url = urlOf(shown);
      await pass(30);
      await shown.observer.refetch();
      expect(urlOf(shown)).toBe(url);
      return shown;
    }

    const pages: [string, () => Promise<Shown>][] = [
      ['of a memory that was read twice', () => keep(memory())],
      ['of a list that was read twice', () => keep(memoriesQuery(client))],
      ['that was selected', () => keep(memory(), { select: ({ audio_url }: Memory) => audio_url })],
      [
        'of a response that was in a cache for half an hour',
        async () => {
          const headers = { authorization: `Bearer ${mock.apiKey}` };
          const response = await mock.fetch(`${mock.baseUrl}/v1/memories/mem_1`, { headers });
          await pass(30);
          network = async () => withHeaders(response, { age: '1800' });
          const shown = show(memory());
          await settle();
          network = mock.fetch;
          return shown;
        },
      ],
      [
        'of a persisted cache',
        async () => {
          const { stop } = await keep(memory());
          const stored = JSON.parse(JSON.stringify(dehydrate(queries)));
          stop();
          useCache();
          hydrate(queries, stored);
          return show(memory());
        },
      ],
      [
        'of initial data',
        async () => {
          const [initialData] = await client.listMemories();
          await pass(30);
          return show(memory(), { initialData });
        },
      ],
    ];

    async function sleep(): Promise<void> {
      vi.setSystemTime(at(65));
    }

    /** How the time until minute 65 passes, and what reads again. */
    const returns: [string, (shown: Shown) => Promise<Shown | undefined>][] = [
      [
        'the page was hidden',
        async () => {
          setVisibility('hidden');
          await pass(25);
          setVisibility('visible');
          return undefined;
        },
      ],
      [
        'the computer slept, and the page is shown again',
        async () => {
          setVisibility('hidden');
          await sleep();
          setVisibility('visible');
          return undefined;
        },
      ],
      [
        'the computer slept, and is online again',
        async () => {
          goOnline(false);
          await sleep();
          goOnline(true);
          return undefined;
        },
      ],
      [
        'the component is mounted again',
        async ({ stop, options }) => {
          stop();
          await pass(25);
          return show(options as unknown as Query);
        },
      ],
      [
        'the query was disabled',
        async ({ set }) => {
          set({ enabled: false });
          await pass(25);
          set({});
          return undefined;
        },
      ],
      [
        'the component showed another memory',
        async ({ set }) => {
          set({ ...memoryQuery(client, 'mem_2'), select: undefined });
          await pass(25);
          set({});
          return undefined;
        },
      ],
    ];

    describe.each(pages)('%s', (_page, begin) => {
      test.each(returns)('is replaced by one read after %s', async (_return, comeBack) => {
        let shown = await begin();
        await vi.advanceTimersByTimeAsync(at(40).getTime() - Date.now());
        const before = readsOf(/memories(\/mem_1)?$/);
        expect(await statusOf(shown)).toBe(200);
        shown = (await comeBack(shown)) ?? shown;
        expect(await statusOf(shown)).toBe(403);
        await settle();
        expect(await statusOf(shown)).toBe(200);
        expect(readsOf(/memories(\/mem_1)?$/)).toBe(before + 1);
      });
    });

    test.each(returns)('costs no read without refreshMedia after %s', async (_return, comeBack) => {
      const shown = await keep(memoryQuery(client, 'mem_1', { refreshMedia: false }));
      await pass(10);
      await comeBack(shown);
      await settle();
      expect(readsOf(/mem_1/)).toBe(2);
    });
  });

  test('a URL without a stated expiry, from a persisted cache, is replaced within an hour after its read', async () => {
    const query = memoryQuery(client, 'mem_1');
    const data = { ...(await client.getMemory('mem_1')), audio_url: 'https://media.example.com/a.wav' };
    queries.setQueryData(query.queryKey, data);
    await pass(10);
    show(query);
    await pass(46);
    expect(readsOf(/mem_1/)).toBe(2);
  });

  test('URLs that live for less than the margin cost a read a minute, and so do reads that fail', async () => {
    const shown = show(memoryQuery(client, 'mem_1', { margin: 3_600_000 }));
    await settle();
    await pass(3);
    expect(readsOf(/mem_1/)).toBe(4);
    mock.faults.always({ status: 501 });
    await pass(3);
    expect(readsOf(/mem_1/)).toBe(7);
    shown.stop();
  });

  describe('what is always due costs a read a minute', () => {
    type Case = [string, Parameters<typeof memoryQuery>[2], () => Promise<void> | void];
    const due: Case[] = [
      ['a margin above the lifetime', { margin: 4_000_000 }, () => {}],
      ['a margin of the lifetime', { margin: 60 * MINUTE }, () => {}],
      [
        'a clock of the browser that is ahead, without a readable Date',
        {},
        () => {
          isHiddenDate();
          mock.clock.set(at(-120));
        },
      ],
      [
        'a response that was in a cache for 57 minutes',
        {},
        async () => {
          const headers = { authorization: `Bearer ${mock.apiKey}` };
          const response = await mock.fetch(`${mock.baseUrl}/v1/memories/mem_1`, { headers });
          await pass(57);
          network = async () => withHeaders(response.clone(), { age: '3420' });
        },
      ],
    ];
    /** Reads a memory, and lets it become stale. */
    const becomeStale = async () => {
      const { stop } = show(memoryQuery(client, 'mem_1'));
      await settle();
      stop();
      await pass(70);
    };
    const failing: Case[] = [
      [
        'stale data of a server that fails',
        {},
        async () => {
          await becomeStale();
          mock.faults.always({ status: 501 });
        },
      ],
      [
        'stale data of a memory that was removed',
        {},
        async () => {
          await becomeStale();
          mock.memories.remove('mem_1');
        },
      ],
    ];

    /** Counts the requests, each of which takes time. */
    function countRequests(): () => number {
      const send = network;
      let requests = 0;
      network = async (...request) => {
        requests += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return send(...request);
      };
      return () => requests;
    }

    test.each([...due, ...failing])('at each mount: %s', async (_name, options, prepare) => {
      await prepare();
      const requests = countRequests();
      const query = memoryQuery(client, 'mem_1', options);
      let child: Shown | undefined;
      // The parent shows the child while nothing is read.
      const follow = ({ isFetching }: { isFetching: boolean }) => {
        child?.stop();
        child = isFetching ? undefined : show(query);
      };
      ends.push(show(query).observer.subscribe(follow));
      await pass(3.5);
      expect(child).toBeDefined();
      expect(requests()).toBeGreaterThanOrEqual(1);
      expect(requests()).toBeLessThanOrEqual(4);
    });

    test.each(due)('at each focus: %s', async (_name, options, prepare) => {
      await prepare();
      const requests = countRequests();
      show(memoryQuery(client, 'mem_1', options));
      for (let focuses = 0; focuses < 30; focuses += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        setVisibility('hidden');
        setVisibility('visible');
      }
      expect(requests()).toBe(1);
    });
  });

  test('initial data whose URL has expired are read at once', async () => {
    const [initialData] = await client.listMemories();
    await pass(65);
    const shown = show(memoryQuery(client, 'mem_1'), { initialData });
    await settle();
    expect(await statusOf(shown)).toBe(200);
  });

  test.each<[string, () => void]>([
    ['a ready memory', () => add('mem_4')],
    ['a processing memory', () => void mock.memories.addProcessing({ id: 'mem_4' })],
  ])('a clock that was set back does not stop the reads of a page that renders: %s', async (_name, prepare) => {
    prepare();
    const { set } = show(memoryQuery(client, 'mem_4'));
    await settle();
    vi.setSystemTime(at(-180));
    for (let seconds = 0; seconds < 62; seconds += 5) {
      set({});
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(readsOf(/mem_4/)).toBeGreaterThan(1);
  });

  test('a processing memory is read at once when its page is shown again', async () => {
    mock.memories.addProcessing({ id: 'mem_3' }, { finishAfter: 60_000 });
    const shown = show<Memory>(memoryQuery(client, 'mem_3'));
    await settle();
    setVisibility('hidden');
    await pass(2.05);
    setVisibility('visible');
    await settle();
    expect(shown.data().is_processing).toBe(false);
  });

  test.each(['', undefined, null])('without an id (%j), a query that is not enabled reads nothing', async (id) => {
    const { observer, set } = show(memoryQuery(client, id), { enabled: false });
    await pass(60);
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'idle' });
    set({ enabled: true });
    await pass(60);
    expect(observer.getCurrentResult().error).toMatchObject({ code: 'configuration', option: 'memoryId' });
    expect(mock.requests).toHaveLength(0);
    set({ ...memoryQuery(client, 'mem_1'), enabled: true });
    await settle();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: { id: 'mem_1' } });
  });

  test('a read keeps every object that has not changed, and brings its response and its expiry', async () => {
    const { data, observer } = show<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    const before = data();
    const first = responseInfo(before)?.requestId;
    await pass(2);
    expect((await client.getMemory('mem_1')).audio_url).not.toBe(before.audio_url);
    await observer.refetch();
    expect(data()).toBe(before);
    expect(responseInfo(data())?.requestId).not.toBe(first);
    mock.memories.update('mem_1', { name: 'Renamed' });
    await observer.refetch();
    expect([data().name, data().audio_url]).toEqual(['Renamed', before.audio_url]);
    expect(before.name).not.toBe('Renamed');
    expect(data().transcript).toBe(before.transcript);
    expect(Math.floor(Number(mediaExpiresAt(data())) / 1000)).toBe(start / 1000 + 3_600);
    expect(responseInfo(data())?.receivedAt).toEqual(new Date());
  });

  test('a new memory leaves the others of the list alone', async () => {
    const { data, observer } = show<Memory[]>(memoriesQuery(client));
    await settle();
    const [before] = data();
    add('mem_2', { started_at: '2026-11-20T11:30:00Z' });
    await observer.refetch();
    expect(data().map(({ id }) => id)).toEqual(['mem_2', 'mem_1']);
    expect(data()[1]).toBe(before);
    for (const memory of [...data(), data()]) expect(responseInfo(memory)?.status).toBe(200);
    expect(data().map((memory) => mediaExpiresAt(memory))).toEqual([expect.any(Date), expect.any(Date)]);
  });

  test('an error that no repeat cures is not repeated; a server error costs three attempts a minute until it ends', async () => {
    const missing = show(memoryQuery(client, 'mem_0'));
    await pass(120);
    expect(missing.observer.getCurrentResult().error).toMatchObject({ code: 'not_found' });
    expect(mock.requests).toHaveLength(1);
    const fault = mock.faults.next({ status: 500 }, { times: Number.POSITIVE_INFINITY });
    const failing = show(memoriesQuery(client));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(failing.observer.getCurrentResult().error).toMatchObject({ code: 'server', request: { attempts: 3 } });
    expect(mock.requests).toHaveLength(4);
    await pass(2);
    expect(mock.requests).toHaveLength(10);
    fault.cancel();
    await pass(2);
    expect(failing.observer.getCurrentResult()).toMatchObject({ error: null, data: [{ id: 'mem_1' }] });
    expect(mock.requests).toHaveLength(11);
  });

  test('a memory that was removed while it is shown is read once more, and then no longer', async () => {
    const { data, observer } = show<Memory>(memoryQuery(client, 'mem_1'));
    await settle();
    mock.memories.remove('mem_1');
    await pass(300);
    expect(observer.getCurrentResult().error).toMatchObject({ code: 'not_found' });
    expect(data().id).toBe('mem_1');
    expect(mock.requests).toHaveLength(2);
  });

  test('cancels a query without observers', async () => {
    mock.faults.next({ delay: 5_000 });
    const { stop } = show(memoryQuery(client, 'mem_1'));
    await settle();
    const key = memoryReadKeys().memory('mem_1');
    expect(queries.getQueryState(key)?.fetchStatus).toBe('fetching');
    stop();
    await settle();
    expect(queries.getQueryState(key)).toMatchObject({ fetchStatus: 'idle', data: undefined });
  });

  test('accounts of one cache are kept apart by their scope', async () => {
    const other = mock.accounts.add();
    mock.memories.add({ id: 'mem_2' }, { userId: other.userId });
    const ofOther = clientOf(other.apiKey);
    const own = show<Memory[]>(memoriesQuery(client, { scope: 'ada' }));
    const others = show<Memory[]>(memoriesQuery(ofOther, { scope: 'grace' }));
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
