// @vitest-environment jsdom
import { type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '@memory-read/client';
import { memoriesQuery, memoryQuery, swrArguments } from '@memory-read/client/query';
import { createMemoryMock, type FetchMemoryMock } from '@memory-read/msw/fetch';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import useSWR, { SWRConfig, type SWRConfiguration, useSWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { goOnline, setVisibility } from './page-events.ts';

const MINUTE = 60_000;
let mock: FetchMemoryMock;
let client: MemoryClient;
let root: Root;
let seen: { data?: Memory | Memory[]; error?: unknown }[];
let refetch: () => Promise<unknown>;
let cache: Map<string, never>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
  mock = createMemoryMock({ memories: [] });
  const { baseUrl, apiKey, fetch } = mock;
  client = new MemoryClient({ baseUrl, apiKey, fetch, dangerouslyAllowBrowser: true });
  root = createRoot(document.createElement('div'));
  seen = [];
  cache = new Map<string, never>();
});
afterEach(async () => {
  setVisibility('visible');
  await act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Query = ReturnType<typeof memoryQuery> | ReturnType<typeof memoriesQuery>;
type Settings = Pick<
  SWRConfiguration,
  'fallbackData' | 'revalidateOnFocus' | 'revalidateIfStale' | 'revalidateOnReconnect'
>;

function Shown({ query, settings }: { query: Query; settings: Settings }): ReactNode {
  const [key, fetcher, config] = swrArguments<Memory | Memory[]>(query);
  const { data, error } = useSWR(key, fetcher, { ...config, ...settings });
  const { mutate } = useSWRConfig();
  refetch = () => mutate(key);
  seen.push({ ...(data && { data }), error });
  return null;
}

const render = (query: Query, settings: Settings = {}) =>
  act(() =>
    root.render(
      <SWRConfig value={{ provider: () => cache }}>
        <Shown query={query} settings={settings} />
      </SWRConfig>,
    ),
  );
const show = async (query: Query, settings?: Settings) => {
  await render(query, settings);
  await pass(10);
};
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const newest = () => [seen.at(-1)?.data].flat()[0] as Memory;
const statusOfUrl = async () => (await mock.fetch(newest().audio_url ?? '')).status;
const readAgain = () =>
  act(async () => {
    await refetch();
    await vi.advanceTimersByTimeAsync(10);
  });
const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };

test('each URL that is shown plays, at the cost of one read an hour', async () => {
  mock.memories.add({ id: 'mem_1', media });
  await show(memoryQuery(client, 'mem_1'));
  for (let minutes = 0; minutes < 180; minutes += 5) {
    expect([minutes, await statusOfUrl()]).toEqual([minutes, 200]);
    await pass(5 * MINUTE);
  }
  expect(mock.requests.filter(({ operation }) => operation === 'getMemory')).toHaveLength(4);
});

test('renders again for a change, with its expiry, but not for new signatures only', async () => {
  mock.memories.add({ id: 'mem_1', media });
  await show(memoryQuery(client, 'mem_1'));
  const before = newest();
  const first = responseInfo(before)?.requestId;
  const rendered = seen.length;
  await pass(2 * MINUTE);
  await readAgain();
  expect(mock.requests).toHaveLength(2);
  expect(newest()).toBe(before);
  expect(seen).toHaveLength(rendered);
  expect(responseInfo(before)?.requestId).not.toBe(first);
  mock.memories.update('mem_1', { name: 'Renamed' });
  await pass(2 * MINUTE);
  await readAgain();
  expect(newest().name).toBe('Renamed');
  expect(mediaExpiresAt(newest())?.getTime()).toBeGreaterThan(Date.parse('2026-11-20T13:01:00Z'));
});

test('a list is read again until all of it is processed', async () => {
  mock.memories.addProcessing({ id: 'mem_1' }, { finishAfter: 25_000 });
  await show(memoriesQuery(client, { refreshMedia: false }));
  await pass(31_000);
  expect(newest().is_processing).toBe(false);
  const requests = mock.requests.length;
  await pass(20 * MINUTE);
  expect(mock.requests).toHaveLength(requests);
});

test('an error that no repeat cures is not repeated', async () => {
  await show(memoryQuery(client, 'mem_0'));
  await pass(120 * MINUTE);
  expect(seen.at(-1)?.error).toMatchObject({ code: 'not_found' });
  expect(mock.requests).toHaveLength(1);
});

const nothing: Settings = { revalidateOnFocus: false, revalidateIfStale: false, revalidateOnReconnect: false };

describe.each<[string, Settings]>([
  ['as by default', {}],
  ['by its timer, if the app has switched off the other occasions', nothing],
])('a URL that was kept by a second read is replaced %s', (_name, settings) => {
  const query = () => memoryQuery(client, 'mem_1');

  test.each<[string, () => Promise<void>]>([
    [
      'the page was hidden',
      async () => {
        setVisibility('hidden');
        await pass(25 * MINUTE);
        setVisibility('visible');
      },
    ],
    [
      'the computer slept, and is online again',
      async () => {
        goOnline(false);
        vi.setSystemTime(Date.now() + 25 * MINUTE);
        goOnline(true);
        // The timer of the page is as late as the sleep was long, unless something renders.
        await render(query(), settings);
      },
    ],
    [
      'the component is mounted again',
      async () => {
        await act(() => root.unmount());
        await pass(25 * MINUTE);
        root = createRoot(document.createElement('div'));
        await render(query(), settings);
      },
    ],
    [
      'the component renders all the time',
      async () => {
        setVisibility('hidden');
        await pass(25 * MINUTE);
        setVisibility('visible');
        for (let renders = 0; renders < 20; renders += 1) {
          await render(query(), settings);
          await pass(60);
        }
      },
    ],
  ])('after %s', async (_return, comeBack) => {
    mock.memories.add({ id: 'mem_1', media });
    await show(query(), settings);
    const { audio_url } = newest();
    await pass(30 * MINUTE);
    await readAgain();
    expect(newest().audio_url).toBe(audio_url);
    await pass(10 * MINUTE);
    await comeBack();
    await pass(1_100);
    expect(await statusOfUrl()).toBe(200);
    expect(mock.requests.filter(({ operation }) => operation === 'getMemory')).toHaveLength(3);
  });
});

describe('a page that renders each 5 seconds', () => {
  const passRendering = async (minutes: number, query: Query, settings?: Settings) => {
    for (let seconds = 0; seconds < minutes * 60; seconds += 5) {
      await render(query, settings);
      await pass(5_000);
    }
  };
  /** A backend of the app, which returns no response of the client. */
  const plain = (changes: { audio_url?: string } = {}) => ({
    listMemories: async () => (await client.listMemories()).map((memory) => ({ ...memory, ...changes })),
    getMemory: async (id: string) => ({ ...(await client.getMemory(id)), ...changes }),
  });
  const kinds: [string, () => Query][] = [
    ['a memory', () => memoryQuery(plain(), 'mem_1')],
    ['a list', () => memoriesQuery(plain())],
    [
      'a memory whose URL states no expiry',
      () => memoryQuery(plain({ audio_url: 'https://media.example.com/a.wav' }), 'mem_1'),
    ],
  ];

  test.each(kinds)('reads %s of a plain backend again', async (_name, query) => {
    mock.memories.add({ id: 'mem_1', media });
    await show(query());
    await passRendering(57, query());
    expect(mock.requests).toHaveLength(2);
    await passRendering(57, query());
    expect(mock.requests.length).toBeLessThanOrEqual(4);
  });

  test('reads a processing memory of a plain backend again, even if no read changes it', async () => {
    mock.memories.addProcessing({ id: 'mem_1' }, { finishAfter: 100_000 });
    const query = memoryQuery(plain(), 'mem_1', { pollInterval: 10_000 });
    await show(query);
    await passRendering(2, query);
    expect(newest().is_processing).toBe(false);
    expect(mock.requests.length).toBeGreaterThanOrEqual(10);
    expect(mock.requests.length).toBeLessThanOrEqual(13);
  });

  test.each([
    ['renders each 5 seconds', true],
    ['does not render', false],
  ])('replaces fallback data, if nothing else reads, when it %s', async (_name, isRendering) => {
    mock.memories.add({ id: 'mem_1', media });
    const query = memoryQuery(client, 'mem_1');
    const settings = { ...nothing, fallbackData: await client.getMemory('mem_1') };
    await show(query, settings);
    await (isRendering ? passRendering(2, query, settings) : pass(2 * MINUTE));
    expect(mock.requests).toHaveLength(2);
    mock.memories.remove('mem_1');
    await passRendering(240, query, settings);
    expect(mock.requests).toHaveLength(3);
  });

  test('reads once after the clock was set back', async () => {
    mock.memories.add({ id: 'mem_1', media });
    const query = memoryQuery(plain(), 'mem_1');
    await show(query);
    vi.setSystemTime(Date.now() - 30 * MINUTE);
    await passRendering(10, query);
    expect(mock.requests).toHaveLength(2);
  });

  test('reads no missing memory again', async () => {
    await show(memoryQuery(client, 'mem_0'));
    await passRendering(10, memoryQuery(client, 'mem_0'));
    expect(mock.requests).toHaveLength(1);
  });
});

test.each(['', undefined])('without an id (%j), nothing is read', async (id) => {
  await show(memoryQuery(client, id));
  await pass(60 * MINUTE);
  expect(mock.requests).toHaveLength(0);
  expect(seen.at(-1)).toEqual({ error: undefined });
});
