import {
  type MemoryHit,
  matchMemory,
  missCounter,
  type PreparedMemory,
  type Query,
  type SearchMiss,
} from '@memory-read/client/search';

/** Yields hits in the order of `searchMemories`: those with all words together as they are found, then the others. */
export async function* findHits(memories: AsyncIterable<PreparedMemory>, query: Query): AsyncGenerator<MemoryHit> {
  const apart: MemoryHit[][] = [];
  for await (const memory of memories) {
    const { match, hits } = matchMemory(memory, query);
    if (match === 'together') yield* hits;
    if (match === 'apart') apart.push(hits);
  }
  for (const hits of apart) yield* hits;
}

/** Returns why a query finds nothing, and what is nearest. */
export async function explainMiss(memories: AsyncIterable<PreparedMemory>, query: Query): Promise<SearchMiss> {
  const counter = missCounter(query);
  for await (const memory of memories) counter.add(memory);
  return counter.result(0);
}
