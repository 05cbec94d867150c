import { type ListedMemory, MemoryClient, responseInfo } from '@memory-read/client';
import { createLiveSource } from '@memory-read/mcp';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, onTestFinished, test } from 'vitest';
import { entriesOf } from '../packages/packed-packages.ts';

// The mirror and the assistant load the sources, so the built client is a second copy of the package.
const built: typeof import('@memory-read/client') = await import(String(entriesOf('client')[0]?.built));

const account = { ids: ['a', 'b', 'c'], broken: '' };

function clientOf(Class: typeof MemoryClient, change: (list: ListedMemory[]) => ListedMemory[]) {
  const fetch = async (input: RequestInfo | URL) => {
    const { pathname } = new URL(new Request(input).url);
    const listed = account.ids.map((id) => sampleListedMemory({ id, ...(id === account.broken && { name: 7 }) }));
    return Response.json(pathname === '/v1/memories' ? listed : sampleMemory({ id: pathname.split('/').at(-1) }));
  };
  const client = new Class({ baseUrl: 'https://api.example.com', apiKey: 'mrk_1', fetch });
  const listMemories = client.listMemories.bind(client);
  return Object.assign(client, { listMemories: async (...given: [object?]) => change(await listMemories(...given)) });
}

const known: [string, (list: ListedMemory[]) => ListedMemory[]][] = [
  ['the list itself', (list) => list],
  ['a proxy', (list) => new Proxy(list, {})],
  ['a frozen list', (list) => Object.freeze(list) as ListedMemory[]],
  ['a list sorted in place', (list) => list.sort((one, other) => other.id.localeCompare(one.id))],
];
const unknown: [string, (list: ListedMemory[]) => ListedMemory[]][] = [
  ['a spread list', (list) => [...list]],
  ['a filtered list', (list) => list.filter(() => true)],
  ['a list that went through JSON', (list) => JSON.parse(JSON.stringify(list))],
  ['a cloned list', (list) => structuredClone(list)],
  ['a list that was cut in place', (list) => list.splice(0, 1) && list],
  ['a proxy that hides a memory', (list) => new Proxy(list, { get: (all, key) => Reflect.get(all.slice(1), key) })],
];

test.each([
  ...known.map(([name, change]) => [name, true, change] as const),
  ...unknown.map(([name, change]) => [name, false, change] as const),
])(
  '%s of a second copy of the client is complete for a mirror and an assistant: %s',
  async (_name, isKnown, change) => {
    expect(built.MemoryClient).not.toBe(MemoryClient);
    Object.assign(account, { ids: ['a', 'b', 'c'], broken: '' });
    const mirror = await openMirror({ folder: makeFolder() });
    onTestFinished(() => mirror.close());
    expect(await mirror.sync(clientOf(built.MemoryClient, (list) => list))).toMatchObject({ added: 3 });

    // One memory of the list cannot be read, and another one was deleted.
    Object.assign(account, { ids: ['a', 'b'], broken: 'a' });
    const client = clientOf(built.MemoryClient, change);
    const outcomes = [];
    for (let count = 0; count < 3; count += 1) {
      const { incompleteList, missing, purged } = await mirror.sync(client, { missing: 'purge' });
      outcomes.push([incompleteList, missing, purged]);
    }
    expect(outcomes).toEqual(
      isKnown
        ? [
            [false, 1, 0],
            [false, 0, 1],
            [false, 0, 0],
          ]
        : Array(3).fill([true, 0, 0]),
    );
    expect((await mirror.history('a')).map(({ type }) => type)).toEqual(['added']);
    expect(await mirror.getMemory('c')).toEqual(isKnown ? undefined : expect.anything());

    const { signal } = new AbortController();
    const page = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 10, after: undefined, signal };
    const { total, unreadable } = await createLiveSource(client).listMemories(page);
    expect([total, unreadable]).toEqual(isKnown ? [2, 1] : [undefined, undefined]);
  },
);

test.each(known)('both copies of the package read the response of %s', async (_name, change) => {
  Object.assign(account, { ids: ['a', 'b'], broken: 'a' });
  for (const Class of [MemoryClient, built.MemoryClient]) {
    const list = await clientOf(Class, change).listMemories({ validation: 'skip' });
    for (const read of [responseInfo, built.responseInfo])
      expect(read(list)?.skipped).toMatchObject([{ memoryId: 'a' }]);
  }
});
