import {
  type MemoryHit,
  type MemoryMatch,
  matchMemory,
  missCounter,
  type PreparedMemory,
  type Query,
  type SearchMiss,
} from '@memory-read/client/search';

/** Yields hits in the order of `searchMemories`: those with all words together as they are found, then the others. */
export async function* findHits(memories: AsyncIterable<PreparedMemory>, query: Query): AsyncGenerator<MemoryHit> {
  const apart: MemoryMatch[] = [];
  for await (const memory of memories) {
    const found = matchMemory(memory, query);
    if (found.match === 'together') yield* found.hits;
    if (found.match === 'apart') apart.push(found);
  }
  for (const { hits } of apart) yield* hits;
}

/** Returns why a query finds nothing, and what is nearest. */
export async function explainMiss(memories: AsyncIterable<PreparedMemory>, query: Query): Promise<SearchMiss> {
  const counter = missCounter(query);
  for await (const memory of memories) counter.add(memory);
  return counter.result(0);
}
