import { MemoryClient } from '@memory-read/client';
import { parseQuery, searchMemories } from '@memory-read/client/search';
import { countTurns } from '@memory-read/test-kit/count-turns';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { createLiveSource } from './create-live-source.ts';
import { createMirrorSource } from './create-mirror-source.ts';
import type { MemorySource } from './memory-source.ts';

// As if each round of a loop had used up its turn.
vi.mock(import('@memory-read/contract/event-loop'), async (original) => ({
  ...(await original()),
  yieldToEventLoop: () => new Promise((resolve) => void setImmediate(resolve)),
}));

const MEMORIES = 400;
const memories = Array.from({ length: MEMORIES }, (_, index) => sampleMemory({ id: `mem_${index}` }));
const question = {
  text: 'morning',
  query: parseQuery('morning'),
  since: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
};
const { signal } = new AbortController();

const mirror = createMirrorSource({
  search: async (text) => {
    const hits = memories.flatMap((memory) => searchMemories([memory], text).hits);
    return { hits: hits.map((hit) => ({ ...hit, missingSince: null })), cursor: null, miss: null };
  },
  getMemory: async () => ({ memory: sampleMemory(), missingSince: null }),
  listMemories: async () => ({ memories: [], cursor: null }),
});
const live = createLiveSource(
  new MemoryClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    fetch: async ({ url }) =>
      Response.json(
        url.endsWith('/memories') ? memories.map((memory) => ({ ...memory, transcript: null })) : memories[0],
      ),
  }),
  { transcriptRequests: 1 },
);

const searches: [source: string, source: MemorySource][] = [
  ['a mirror', mirror],
  ['the API', live],
];

test.for(searches)('a search of %s: the event loop turns for each memory', async ([, source]) => {
  const search = () => source.search(question, { after: undefined, take: () => true, signal });

  expect(await countTurns(search)).toBeGreaterThanOrEqual(MEMORIES);
});

test.for(searches)('a search of %s ends when it is aborted half-way', async ([, source]) => {
  const ending = new AbortController();
  setImmediate(() => setImmediate(() => ending.abort(new Error('no longer wanted'))));
  const search = source.search(question, { after: undefined, take: () => true, signal: ending.signal });

  await expect(search).rejects.toThrow('no longer wanted');
});
