import type { Memory } from '@memory-read/contract';
import { pageLength, type SearchPeer, turnsOf } from './search-peer.ts';

/** Keeps each memory as JSON, and parses one after the other, the newest first, until a page is full. */
export function keepJson(memories: readonly Memory[]): SearchPeer {
  const texts = memories.map((memory) => JSON.stringify(memory)).reverse();
  return {
    search(query) {
      const patterns = patternsOf(query);
      const hits: string[] = [];
      for (const json of texts) {
        for (const turn of turnsOf(JSON.parse(json) as Memory)) {
          if (patterns.every((pattern) => pattern.test(turn)) && hits.push(turn) === pageLength) return hits;
        }
      }
      return hits;
    },
    close: () => {},
  };
}

function patternsOf(query: string): RegExp[] {
  const terms = query.match(/"[^"]+"|\S+/g) ?? [];
  return terms.map((term) => {
    const text = term.replace(/["*]/g, '');
    // There is no word boundary between two Japanese characters.
    if (!/\w/.test(text)) return new RegExp(text);
    return new RegExp(`\\b${text}${term.endsWith('*') ? '' : '\\b'}`, 'i');
  });
}
