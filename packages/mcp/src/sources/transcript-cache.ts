import type { ListedMemory, Memory } from '@memory-read/client';
import type { LRUCache } from 'lru-cache';
import type { FoldedTranscript } from '../search/searched-memory.ts';

/** A transcript that was read for a search. */
export interface ReadTranscript {
  memory: Memory;
  readAt: Date;
  folded: FoldedTranscript;
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
      if (entry === undefined || entry.listed !== factsOf(listed)) return undefined;
      const age = now() - entry.at;
      return age >= 0 && age <= maxAge ? entry.read : undefined;
    },
    set: (listed, read) => {
      if (listed.is_processing || read.memory.is_processing) return;
      const { texts, speakers } = read.folded;
      const units =
        JSON.stringify(read.memory).length + [...texts, ...speakers].reduce((sum, text) => sum + text.length, 0);
      // A string has two bytes for each unit.
      cache.set(listed.id, { read, at: now(), listed: factsOf(listed), size: 2 * units });
    },
  };
}

function factsOf({ name, started_at, ended_at, is_processing, summary }: ListedMemory): string {
  return JSON.stringify([name, started_at, ended_at, is_processing, summary]);
}
