import { type PreparedMemory, prepareCues } from '@memory-read/client/search';
import type { IndexDetail, IndexEntry, IndexList } from '../index-data.ts';

/** Memories of the page. */
export interface Memories {
  /** Entries of all memories, newest first. */
  entries: readonly IndexEntry[];
  /** Names of all people. */
  people: readonly string[];
  /** Returns the entry of a memory, and a function that loads the rest of it. */
  find(key: string): { entry: IndexEntry; loadDetail: () => Promise<IndexDetail> } | undefined;
  /** Yields memories in the form of the search, newest first, while they are wanted. Loads each month when it is due. */
  readAll(options: { isWanted: () => boolean; onMonth?: (month: string) => void }): AsyncGenerator<PreparedMemory>;
}

/** Time after which a search lets the browser work. A page runs one search, so it needs no turns of several loops. */
const TURN_MS = 20;

/** Returns the memories of a list. A month is loaded once, and a memory is folded once. */
export function openMemories(
  { entries, months, people = [] }: IndexList,
  loadMonth: (month: string) => Promise<readonly IndexDetail[]>,
): Memories {
  const placeOf = new Map<string, { entry: IndexEntry; month: string }>();
  let next = 0;
  for (const [month, count] of months) {
    for (const entry of entries.slice(next, next + count)) placeOf.set(entry[0], { entry, month });
    next += count;
  }
  const loading = new Map<string, Promise<readonly IndexDetail[]>>();
  const prepared = new Map<string, PreparedMemory>();

  function load(month: string): Promise<readonly IndexDetail[]> {
    const details =
      loading.get(month) ??
      loadMonth(month).catch((error) => {
        loading.delete(month);
        throw error;
      });
    loading.set(month, details);
    return details;
  }

  return {
    entries,
    people,
    find: (key) => {
      const place = placeOf.get(key);
      if (place === undefined) return undefined;
      const loadDetail = async () => {
        const detail = (await load(place.month)).find((other) => other.key === key);
        if (detail !== undefined) return detail;
        throw new Error('Failed to show the memory: its script does not match this page. Write the pages again.');
      };
      return { entry: place.entry, loadDetail };
    },
    async *readAll({ isWanted, onMonth }) {
      let began = performance.now();
      for (const [month] of months) {
        onMonth?.(month);
        for (const detail of await load(month)) {
          if (performance.now() - began > TURN_MS) {
            await new Promise((resolve) => setTimeout(resolve));
            began = performance.now();
          }
          if (!isWanted()) return;
          const entry = placeOf.get(detail.key)?.entry;
          if (entry === undefined) continue;
          const memory = prepared.get(detail.key) ?? prepare(entry, detail);
          prepared.set(detail.key, memory);
          yield memory;
        }
      }
    },
  };
}

function prepare(
  [id, name, date, , , , quick_summary]: IndexEntry,
  { takeaways, speakers, names, segments }: IndexDetail,
): PreparedMemory {
  const cues = segments.map(([start, speaker, text]) => ({ start, speaker: speakers[speaker] ?? '', text }));
  const summary = { quick_summary, key_takeaways: takeaways };
  return prepareCues({ id, name, started_at: date, summary, cues, names: new Map(names) });
}
