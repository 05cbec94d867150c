import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countTurns } from '@memory-read/test-kit/count-turns';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, test, vi } from 'vitest';
import type { Mirror } from './mirror.ts';
import { openAccount, saidRecord } from './testing/open-account.ts';
import { openForTest } from './testing/open-for-test.ts';

// As if each round of a loop had used up its turn.
vi.mock(import('@memory-read/contract/event-loop'), async (original) => ({
  ...(await original()),
  yieldToEventLoop: () => new Promise((resolve) => void setImmediate(resolve)),
}));

const MEMORIES = 40;
const ids = Array.from({ length: MEMORIES }, (_, index) => `mem_${index}`);

async function openFilledMirror() {
  const account = await openAccount();
  await account.put(...ids.map((id) => saidRecord(id)));
  const client = account.clientOf('https://api.example.com');
  const mirror = await openForTest({ folder: makeFolder() });
  await mirror.sync(client, { media: [] });
  return { mirror, client };
}

/** Reads pages of one item until the last one. */
async function readPages(read: (cursor: string | undefined) => Promise<{ cursor: string | null }>) {
  let cursor: string | undefined;
  do cursor = (await read(cursor)).cursor ?? undefined;
  while (cursor !== undefined);
}

const loops: [name: string, run: (mirror: Mirror) => Promise<unknown>][] = [
  ['pages of a list', (mirror) => readPages((cursor) => mirror.listMemories({ limit: 1, cursor }))],
  ['pages of a search', (mirror) => readPages((cursor) => mirror.search('morning', { limit: 1, cursor }))],
  [
    'memories one by one',
    async (mirror) => {
      for (const id of ids) await mirror.getMemory(id);
    },
  ],
  [
    'histories one by one',
    async (mirror) => {
      for (const id of ids) await mirror.history(id);
    },
  ],
  [
    'an export',
    async (mirror) => {
      for await (const _record of mirror.exportRecords());
    },
  ],
  ['the events of a page', (mirror) => mirror.events({ limit: 1_000 })],
  ['the first pages', (mirror) => mirror.writePages()],
];

test.for(loops)('%s: the event loop turns for each memory', async ([, run]) => {
  const { mirror } = await openFilledMirror();

  expect(await countTurns(() => run(mirror))).toBeGreaterThanOrEqual(MEMORIES);
});

test('unchanged pages: the event loop turns for each memory', async () => {
  const { mirror } = await openFilledMirror();
  await mirror.writePages();

  expect(await countTurns(() => mirror.writePages())).toBeGreaterThanOrEqual(MEMORIES);
});

test('a sync without changes: the event loop turns for each memory', async () => {
  const { mirror, client } = await openFilledMirror();

  expect(await countTurns(() => mirror.sync(client))).toBeGreaterThanOrEqual(MEMORIES);
});

test.for(['pages', 'index.html'])(
  'a cancelled run ends at once while it writes %s, and the next one writes the rest',
  async (part) => {
    const { mirror } = await openFilledMirror();
    const cancel = new AbortController();
    const written = () =>
      existsSync(join(mirror.folder, 'pages')) ? readdirSync(join(mirror.folder, 'pages')).length : 0;
    const watch = () => {
      if (part === 'pages' ? written() > 0 : written() === MEMORIES) cancel.abort(new Error('no longer wanted'));
      else setImmediate(watch);
    };
    watch();

    await expect(mirror.writePages({ signal: cancel.signal })).rejects.toThrow('no longer wanted');
    expect(existsSync(join(mirror.folder, 'index.html'))).toBe(false);
    await mirror.writePages();
    expect(written()).toBe(MEMORIES);
    expect(existsSync(join(mirror.folder, 'index.html'))).toBe(true);
  },
);

test('a purge: the event loop turns for each memory of index.html', async () => {
  const { mirror } = await openFilledMirror();
  await mirror.writePages();

  expect(await countTurns(() => mirror.purge('mem_0'))).toBeGreaterThanOrEqual(MEMORIES - 1);
});
