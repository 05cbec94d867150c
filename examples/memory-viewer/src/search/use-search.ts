import type { ListedMemory } from '@memory-read/client';
import { type PreparedMemory, prepareMemory, searchMemories } from '@memory-read/client/search';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { stored } from '../stored.ts';
import { useViewer } from '../viewer-context.ts';

export interface Search {
  query: string;
  setQuery(query: string): void;
  /** Null without a query. */
  found: ReturnType<typeof searchMemories> | null;
  /** Number of memories that are still to be read. */
  unread: number;
}

/** Number of reads in parallel. */
const READERS = 4;
export const MOST_HITS = 50;

/** Searches all memories. A list has no transcripts, so the first search reads each memory once. */
export function useSearch(memories: readonly ListedMemory[] | null): Search {
  const { client } = useViewer();
  const [query, setQuery] = useState(stored('sessionStorage').search ?? '');
  const [prepared, setPrepared] = useState<ReadonlyMap<ListedMemory, PreparedMemory | null>>(new Map());
  const isWanted = query.trim() !== '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a memory that was read starts no further reads.
  useEffect(() => {
    if (!isWanted || memories === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    const queue = memories.filter((memory) => !prepared.has(memory)).values();
    const readQueue = async () => {
      for (const listed of queue) {
        // A memory that cannot be read is not found.
        const memory = await client.getMemory(listed.id, { signal }).then(prepareMemory, () => null);
        if (signal.aborted) return;
        setPrepared((before) => new Map(before).set(listed, memory));
      }
    };
    for (let reader = 0; reader < READERS; reader += 1) void readQueue();
    return () => ending.abort();
  }, [client, memories, isWanted]);

  const [asked, sources] = [useDeferredValue(query), useDeferredValue(prepared)];
  const found = useMemo(() => {
    if (asked.trim() === '') return null;
    const readable = (memories ?? []).flatMap((memory) => sources.get(memory) ?? []);
    return searchMemories(readable, asked, { limit: MOST_HITS });
  }, [memories, sources, asked]);
  return {
    query,
    setQuery(text) {
      setQuery(text);
      stored('sessionStorage').search = text;
    },
    found,
    unread: (memories ?? []).filter((memory) => !sources.has(memory)).length,
  };
}
