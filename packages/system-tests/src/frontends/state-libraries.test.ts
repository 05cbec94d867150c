// @vitest-environment jsdom
import { type ListedMemory, type Memory, MemoryClient, mediaExpiresAt, responseInfo } from '@memory-read/client';
import { memoriesQuery, memoryQuery } from '@memory-read/client/query';
import { renameSpeakers } from '@memory-read/client/transcript';
import { createMemoryMock, type FetchMemoryMock } from '@memory-read/msw/fetch';
import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import * as vueQuery from '@tanstack/vue-query';
import { createDraft, finishDraft, produce } from 'immer';
import { observable } from 'mobx';
// In Node, the entries of Solid and Svelte are those of a server.
// @ts-expect-error: no types
import { createStore, unwrap } from 'solid-js/store/dist/store.js';
// @ts-expect-error: no types
import { proxy } from 'svelte/internal/client';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as vue from 'vue';

const MINUTE = 60_000;
/** The clock of the server is behind, so a URL that expires in an hour seems to expire in 20 minutes. */
const SKEW = 40 * MINUTE;
const now = new Date('2026-11-20T12:00:00Z');
let mock: FetchMemoryMock;
let client: MemoryClient;

beforeEach(() => {
  vi.useFakeTimers({ now });
  mock = createMemoryMock({ memories: [], now: new Date(now.getTime() - SKEW) });
  const { baseUrl, apiKey, fetch } = mock;
  client = new MemoryClient({ baseUrl, apiKey, fetch, dangerouslyAllowBrowser: true });
  mock.memories.add({ id: 'mem_1', media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } } });
});
afterEach(() => {
  vi.useRealTimers();
});

type Data = Memory | ListedMemory[];
type View = <T extends Data>(data: T) => T;
const first = (data: Data) => [data].flat()[0] as Memory;
const touch = <T extends Data>(data: T): T => {
  void [first(data).summary, first(data).transcript];
  return data;
};
const rename = <T extends Data>(data: T): T =>
  Array.isArray(data) ? data : (renameSpeakers(data, { A: 'Ada' }) as typeof data);
/** Changes a memory, as an app does for a name that a user typed. */
const changed = <T extends Data>(data: T): T => {
  first(data).name = 'Changed';
  return data;
};

function inRedux<T extends Data>(data: T): T {
  const initialState = { data: undefined as unknown };
  const set = (_state: typeof initialState, { payload }: PayloadAction<unknown>) => ({ data: payload });
  const { actions, reducer } = createSlice({ name: 'memories', initialState, reducers: { set } });
  const store = configureStore({ reducer });
  store.dispatch(actions.set(data));
  return store.getState().data as T;
}

const known = { memory: true, item: true, list: true };
const unknown = { memory: false, item: false, list: false };

test.each<[string, View, typeof known]>([
  ['reactive of Vue', (data) => touch(vue.reactive(data) as typeof data), known],
  ['shallowReactive of Vue', (data) => touch(vue.shallowReactive(data)), known],
  ['readonly of Vue', (data) => touch(vue.readonly(data) as typeof data), known],
  ['ref of Vue', (data) => touch(vue.ref(data).value as typeof data), known],
  ['toRaw of Vue', (data) => vue.toRaw(vue.reactive(data)) as typeof data, known],
  ['a draft of Immer', (data) => createDraft(data) as typeof data, known],
  ['a draft of Immer of which a part was read', (data) => touch(createDraft(data) as typeof data), known],
  ['a changed draft of Immer', (data) => changed(createDraft(data) as typeof data), known],
  ['a result of Immer without a change', (data) => finishDraft(createDraft(data)) as typeof data, known],
  [
    'a result of Immer beside a change',
    (data) => produce({ data, others: [] as string[] }, ({ others }) => void others.push('x')).data,
    known,
  ],
  ['a result of Immer', (data) => produce(data, (draft) => void changed(draft as Data)), unknown],
  ['a store of Redux Toolkit', inRedux, known],
  ['an observable of MobX', (data) => touch(observable(data)), { memory: true, item: true, list: false }],
  ['a store of Solid', (data) => touch(createStore(data)[0]), known],
  ['unwrap of Solid', (data) => unwrap(createStore(data)[0]), known],
  ['a state of Svelte', (data) => touch(proxy(data)), known],
  ['renameSpeakers', rename, known],
  ['renameSpeakers of reactive of Vue', (data) => rename(vue.reactive(data) as typeof data), known],
  ['renameSpeakers of an observable of MobX', (data) => rename(observable(data)), { ...known, list: false }],
  ['renameSpeakers of a state of Svelte', (data) => rename(proxy(data)), known],
  [
    'renameSpeakers of a draft of Immer, after the draft has ended',
    (data) => {
      const draft = createDraft(data) as typeof data;
      const renamed = rename(draft);
      finishDraft(draft);
      return Array.isArray(data) ? data : renamed;
    },
    known,
  ],
])('%s keeps the response and the correction of the clock, or says that it has none', async (_name, view, expected) => {
  const [memory, list] = [view(await client.getMemory('mem_1')), view(await client.listMemories())];
  const item = list[0] as ListedMemory;
  const parts = { memory, item, list };
  for (const [name, part] of Object.entries(parts)) {
    const isKnown = expected[name as keyof typeof parts];
    const { receivedAt, headers } = responseInfo(part) ?? {};
    expect([name, receivedAt, headers?.get('content-type')]).toEqual([
      name,
      ...(isKnown ? [now, 'application/json'] : [undefined, undefined]),
    ]);
    const expiresAt = new Date(now.getTime() + (isKnown ? 60 : 20) * MINUTE);
    if (!Array.isArray(part)) expect([name, mediaExpiresAt(part)]).toEqual([name, expiresAt]);
  }
});

test.each([false, true])('data of @tanstack/vue-query keep it over a read, shallow: %j', async (shallow) => {
  const cache = new vueQuery.QueryClient();
  const scope = vue.effectScope();
  onTestFinished(() => {
    scope.stop();
    cache.clear();
  });
  const queries = () => [
    vueQuery.useQuery({ ...memoryQuery(client, 'mem_1'), shallow }, cache),
    vueQuery.useQuery({ ...memoriesQuery(client), shallow }, cache),
  ];
  const shown = scope.run(queries) as ReturnType<typeof queries>;
  await vi.advanceTimersByTimeAsync(10);
  for (const name of ['Memory 1', 'Renamed']) {
    for (const { data } of shown) {
      const memory = first(data.value as Data);
      expect(memory.name).toBe(name);
      expect(responseInfo(data.value as Data)?.status).toBe(200);
      expect(Math.round((Number(mediaExpiresAt(memory)) - now.getTime()) / MINUTE)).toBe(60);
    }
    mock.memories.update('mem_1', { name: 'Renamed' });
    for (const { refetch } of shown) await refetch();
  }
});
