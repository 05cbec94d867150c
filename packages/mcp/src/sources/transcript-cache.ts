import type { ListedMemory, Memory } from '@memory-read/client';
import type { PreparedMemory } from '@memory-read/client/search';
import { memoryState } from '@memory-read/contract/memory-state';
import type { LRUCache } from 'lru-cache';

/** A transcript that was read for a search. */
export interface ReadTranscript {
  memory: Memory;
  readAt: Date;
  /** The folded texts. */
  prepared: PreparedMemory;
}

interface Entry {
  read: ReadTranscript;
  at: number;
  listed: string;
  size: number;
}

/** Cached transcripts. An entry is valid while the data of its memory in the list is the same. */
export interface TranscriptCache {
  get(listed: ListedMemory): ReadTranscript | undefined;
  set(listed: ListedMemory, read: ReadTranscript): void;
}

/** Returns a transcript cache on an LRU cache that is limited by bytes. */
export function createTranscriptCache({
  cache,
  maxAge,
  now,
}: {
  cache: LRUCache<string, Entry>;
  maxAge: number;
  now: () => number;
}): TranscriptCache {
  return {
    get: (listed) => {
      const entry = cache.get(listed.id);
      if (entry === undefined || entry.listed !== stateOf(listed)) return undefined;
      const age = now() - entry.at;
      return age >= 0 && age <= maxAge ? entry.read : undefined;
    },
    set: (listed, read) => {
      if (listed.is_processing || read.memory.is_processing) return;
      // A character of JSON has at most two bytes in memory.
      const size = 2 * JSON.stringify(read.memory).length + read.prepared.bytes;
      cache.set(listed.id, { read, at: now(), listed: stateOf(listed), size });
    },
  };
}

const stateOf = (listed: ListedMemory) => JSON.stringify(memoryState(listed));
