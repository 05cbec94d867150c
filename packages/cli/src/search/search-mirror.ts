import type { Mirror, SearchHit, SearchOptions } from '@memory-read/mirror';

export interface FoundMemory {
  memoryId: string;
  name: string;
  startedAt: string;
  /** `partial` if words are missing. */
  match: SearchHit['match'] | 'partial';
  hits: SearchHit[];
  /** Words that the memory does not have. */
  missing?: string[] | undefined;
}

const hitsAtOnce = 200;

/** Yields the memories with hits: first those with all words in one text, each newest first. */
export async function* searchMirror(
  mirror: Mirror,
  query: string,
  conditions: Pick<SearchOptions, 'since' | 'until' | 'speaker'> = {},
): AsyncGenerator<FoundMemory, void, undefined> {
  let found: FoundMemory | undefined;
  let cursor: string | undefined;
  do {
    const page = await mirror.search(query, { ...conditions, limit: hitsAtOnce, cursor });
    for (const hit of page.hits) {
      const { memoryId, name, startedAt, match } = hit;
      if (found?.memoryId === memoryId) {
        found.hits.push(hit);
        continue;
      }
      if (found) yield found;
      found = { memoryId, name, startedAt, match, hits: [hit] };
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  if (found) yield found;
}
