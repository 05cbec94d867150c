import type { Mirror, SearchHit } from '@memory-read/mirror';

/** A memory that a search found, with its hits. */
export interface FoundMemory {
  memoryId: string;
  name: string;
  startedAt: string;
  hits: SearchHit[];
}

const hitsAtOnce = 200;

/** Yields the memories with hits, newest first. */
export async function* searchMirror(
  mirror: Mirror,
  query: string,
  range: { since?: Date | undefined; until?: Date | undefined } = {},
): AsyncGenerator<FoundMemory, void, undefined> {
  let found: FoundMemory | undefined;
  let cursor: string | undefined;
  do {
    const page = await mirror.search(query, { ...range, limit: hitsAtOnce, cursor });
    for (const hit of page.hits) {
      const { memoryId, name, startedAt } = hit;
      if (found?.memoryId === memoryId) {
        found.hits.push(hit);
        continue;
      }
      if (found) yield found;
      found = { memoryId, name, startedAt, hits: [hit] };
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  if (found) yield found;
}
