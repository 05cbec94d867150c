// @vitest-environment jsdom
import { type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '@memory-read/client';
import { memoriesQuery, memoryQuery, swrArguments } from '@memory-read/client/query';
import { createMemoryMock, type FetchMemoryMock } from '@memory-read/msw/fetch';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import useSWR, { SWRConfig, useSWRConfig } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const MINUTE = 60_000;
let mock: FetchMemoryMock;
let client: MemoryClient;
let root: Root;
let seen: { data?: Memory | Memory[]; error?: unknown }[];
let refetch: () => Promise<unknown>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
  mock = createMemoryMock({ memories: [] });
  const { baseUrl, apiKey, fetch } = mock;
  client = new MemoryClient({ baseUrl, apiKey, fetch, dangerouslyAllowBrowser: true });
  root = createRoot(document.createElement('div'));
  seen = [];
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Shown({ query }: { query: ReturnType<typeof memoryQuery> | ReturnType<typeof memoriesQuery> }): ReactNode {
  const [key, fetcher, config] = swrArguments<Memory | Memory[]>(query);
  const { data, error } = useSWR(key, fetcher, config);
  const { mutate } = useSWRConfig();
  refetch = () => mutate(key);
  seen.push({ ...(data && { data }), error });
  return null;
}

const show = (query: Parameters<typeof Shown>[0]['query']) =>
  act(async () => {
    root.render(
      <SWRConfig value={{ provider: () => new Map() }}>
        <Shown query={query} />
      </SWRConfig>,
    );
    await vi.advanceTimersByTimeAsync(10);
  });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const newest = () => seen.at(-1)?.data as Memory;
const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };

test('each URL that is shown plays, at the cost of one read an hour', async () => {
  mock.memories.add({ id: 'mem_1', media });
  await show(memoryQuery(client, 'mem_1'));
  for (let minutes = 0; minutes < 180; minutes += 5) {
    expect([minutes, (await mock.fetch(newest().audio_url ?? '')).status]).toEqual([minutes, 200]);
    await pass(5 * MINUTE);
  }
  expect(mock.requests.filter(({ operation }) => operation === 'getMemory')).toHaveLength(4);
});

test('renders again for a change, with its expiry, but not for new signatures only', async () => {
  mock.memories.add({ id: 'mem_1', media });
  await show(memoryQuery(client, 'mem_1'));
  const readAgain = async () => {
    await pass(2 * MINUTE);
    await act(async () => {
      await refetch();
      await vi.advanceTimersByTimeAsync(10);
    });
  };
  const before = newest();
  const first = responseInfo(before)?.requestId;
  const rendered = seen.length;
  await readAgain();
  expect(mock.requests).toHaveLength(2);
  expect(newest()).toBe(before);
  expect(seen).toHaveLength(rendered);
  expect(responseInfo(before)?.requestId).not.toBe(first);
  mock.memories.update('mem_1', { name: 'Renamed' });
  await readAgain();
  expect(newest().name).toBe('Renamed');
  expect(mediaExpiresAt(newest())?.getTime()).toBeGreaterThan(Date.parse('2026-11-20T13:01:00Z'));
});

test('a list is read again until all of it is processed', async () => {
  mock.memories.addProcessing({ id: 'mem_1' }, { finishAfter: 25_000 });
  await show(memoriesQuery(client, { refreshMedia: false }));
  await pass(31_000);
  expect((newest() as unknown as Memory[]).map(({ is_processing }) => is_processing)).toEqual([false]);
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
