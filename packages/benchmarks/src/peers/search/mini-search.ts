import type { Memory } from '@memory-read/contract';
import MiniSearch from 'minisearch';
import { pageLength, type SearchPeer, turnsOf } from './search-peer.ts';

/** Fills an index of MiniSearch with the turns of memories. It is held in memory, and finds no phrase by itself. */
export function fillMiniSearch(memories: readonly Memory[]): SearchPeer {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'], storeFields: ['text'] });
  index.addAll(memories.flatMap(turnsOf).map((text, id) => ({ id, text })));
  return {
    search(query) {
      const phrase = /^"(.+)"$/.exec(query)?.[1];
      const hits = index.search(phrase ?? query.replace('*', ''), {
        combineWith: 'AND',
        prefix: query.endsWith('*'),
        ...(phrase !== undefined && { filter: ({ text }) => text.includes(phrase) }),
      });
      return hits.slice(0, pageLength);
    },
    close: () => index.removeAll(),
  };
}
