import { deepStrictEqual } from 'node:assert';
import { inspect } from 'node:util';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ListedMemory, type Memory, type MemoryClient, responseInfo } from './index.ts';
import { WatchCursor } from './polling/watch-cursor.ts';
import { shareData } from './query/share-data.ts';
import { json, stubClient } from './testing/stub-fetch.ts';
import { renameSpeakers } from './transcript/rename-speakers.ts';

const listed = [sampleListedMemory({ id: 'mem_1' }), sampleListedMemory({ id: 'mem_2' })];
const bad = { ...sampleListedMemory(), id: 'mem_3', name: 7 };
let requests = 0;

afterEach(() => {
  vi.resetModules();
});

function clientOf(body: unknown): MemoryClient {
  requests += 1;
  const answer = json(body, { headers: { 'x-request-id': `req_${requests}` } });
  return stubClient(answer, { validation: 'skip' }).client;
}

const readList = () => clientOf([...listed, bad]).listMemories();
const readMemory = (changes: Partial<Memory> = {}) => clientOf(sampleMemory(changes)).getMemory('mem_1');
const readItem = async () => (await readList())[0] as ListedMemory;

/** Wraps every object that is read through it, as `reactive` of Vue does. */
function reactive<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      const value = Reflect.get(object, key, receiver);
      return typeof value === 'object' && value !== null ? reactive(value) : value;
    },
  });
}

/** Reads from the object inside its target, as a draft of Immer does. */
function draft<T extends object>(base: T): T {
  return new Proxy({ base }, { get: ({ base: object }, key) => Reflect.get(object, key) }) as unknown as T;
}

const views: [string, <T extends object>(value: T) => T][] = [
  ['the value itself', (value) => value],
  ['a proxy that wraps nested values', reactive],
  ['a proxy over another target', draft],
  ['a proxy of a proxy', (value) => reactive(draft(value))],
  ['a frozen value', Object.freeze],
];

describe.each(views)('responseInfo reads %s', (_name, view) => {
  test.each([
    ['of a list', readList, ['mem_3']],
    ['of a memory of a list', readItem, ['mem_3']],
    ['of a memory', readMemory, []],
  ])('%s, with each installed copy of the package', async (_kind, read, skipped) => {
    const value = view(await read());
    vi.resetModules();
    const copy = await import('./index.ts');
    expect(copy.responseInfo).not.toBe(responseInfo);
    for (const readInfo of [responseInfo, copy.responseInfo]) {
      const info = readInfo(value);
      expect(info?.headers.get('x-request-id')).toBe(`req_${requests}`);
      expect(info?.receivedAt.getTime()).toBeGreaterThan(0);
      expect(info?.skipped.map(({ memoryId }) => memoryId)).toEqual(skipped);
    }
  });
});

test.each<[string, (list: ListedMemory[], item: ListedMemory) => object]>([
  ['a spread list', (list) => [...list]],
  ['a filtered list', (list) => list.filter(() => true)],
  ['a sorted copy', (list) => list.toSorted()],
  ['a cut list', (list) => list.slice()],
  ['a list from which a memory was removed', (list) => list.splice(0, 1) && list],
  ['structuredClone of a list', (list) => structuredClone(list)],
  ['JSON of a list', (list) => JSON.parse(JSON.stringify(list))],
  ['a spread memory', (_list, item) => ({ ...item })],
  ['an assigned memory', (_list, item) => Object.assign({}, item)],
  ['structuredClone of a memory', (_list, item) => structuredClone(item)],
])('the response of %s is unknown, and a watch calls no memory missing', async (_name, copyOf) => {
  const [list, copied] = [await readList(), await readList()];
  const copy = copyOf(copied, copied[0] as ListedMemory);
  expect(responseInfo(copy)).toBeUndefined();
  if (!Array.isArray(copy)) return;
  const cursor = new WatchCursor({ version: 1, account: null, memories: [] }, 'https://api.example.com');
  for (const step of cursor.compare([...listed, sampleListedMemory({ id: 'mem_3' }), sampleListedMemory({ id: 'x' })]))
    cursor.commit(step);
  expect(cursor.compare(copy)).toEqual([]);
  expect(cursor.compare(list).map(({ change, memoryId }) => [change.type, memoryId])).toEqual([['missing', 'x']]);
});

test('the response of a value that is not an object is unknown', () => {
  for (const value of [undefined, null, 'mem_1', 7]) expect(responseInfo(value as never)).toBeUndefined();
});

test.each([
  ['a list', readList, listed],
  ['a memory', readMemory, sampleMemory()],
])('%s shows nothing of its response', async (_name, read, plain) => {
  const value: object = await read();
  expect(value).toStrictEqual(plain);
  deepStrictEqual(value, plain);
  expect(structuredClone(value)).toStrictEqual(plain);
  expect({ ...value }).toStrictEqual({ ...plain });
  const names: string[] = [];
  for (const name in value) names.push(name);
  expect(names).toEqual(Object.keys(plain));
  expect(JSON.stringify(value)).toBe(JSON.stringify(plain));
  expect(inspect(value)).toBe(inspect(plain));
});

test.each<[string, Partial<Memory>]>([
  ['with a transcript', {}],
  ['without a transcript', { transcript: null }],
])('renameSpeakers keeps the response of a memory %s', async (_name, changes) => {
  const memory = await readMemory(changes);
  const views = [() => memory, () => reactive(memory), () => Object.freeze(memory)];
  for (const view of views)
    expect(responseInfo(renameSpeakers(view(), { 'Speaker 1': 'Ada' }))).toBe(responseInfo(memory));
});

describe('shareData brings the response of the fresh data', () => {
  test.each([
    ['to the same list', readList, readList],
    ['to a list with other memories', () => clientOf([listed[0]]).listMemories(), readList],
    ['to the same memory', readMemory, readMemory],
    ['to a changed memory', () => readMemory({ name: 'Other' }), readMemory],
    ['to data of a persisted cache', async () => structuredClone(await readList()), readList],
  ])('%s, also if it is frozen', async (_name, readOld, readFresh) => {
    for (const isFrozen of [false, true]) {
      const old: object = await readOld();
      if (isFrozen) for (const part of [old, ...Object.values(old)]) Object.freeze(part);
      const fresh: object = await readFresh();
      const shared = shareData(old, fresh, 0);
      expect(shared).toEqual(fresh);
      for (const part of Array.isArray(shared) ? [shared, ...shared] : [shared])
        expect(responseInfo(part)).toBe(responseInfo(fresh));
    }
  });

  test('which has a newer list of skipped memories', async () => {
    const old = await clientOf(listed).listMemories();
    const shared = shareData(Object.freeze(old), await readList(), 0);
    expect(responseInfo(shared)?.skipped).toMatchObject([{ memoryId: 'mem_3' }]);
    expect(responseInfo(old)?.skipped).toEqual([]);
  });
});
