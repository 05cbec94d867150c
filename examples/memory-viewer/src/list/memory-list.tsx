import type { ListedMemory } from '@memory-read/client';
import { formatDay } from '../format/format-date.ts';
import { Problem } from '../problem/problem.tsx';
import { SearchResults } from '../search/search-results.tsx';
import { useSearch } from '../search/use-search.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import { MemoryCard } from './memory-card.tsx';
import { useKeptScroll } from './use-kept-scroll.ts';
import type { Memories } from './use-memories.ts';

interface MemoryListProps extends Memories {
  openId: string | null;
  /** Whether a memory covers the list, as on a phone. */
  isCovered: boolean;
}

/** All memories by day or those that a search finds, or why there are none to see. */
export function MemoryList({ memories, error, isStale, retry, openId, isCovered }: MemoryListProps) {
  const search = useSearch(memories);
  const isComplete = memories !== null && (search.found === null || search.unread === 0);
  const keptScroll = useKeptScroll(isComplete && !isCovered);
  return (
    <nav className="list" aria-label="Memories" {...keptScroll}>
      <header>
        <h1>Memories</h1>
        <input
          type="search"
          aria-label="Search all memories"
          placeholder="Search every word"
          autoComplete="off"
          value={search.query}
          onKeyDown={({ key }) => {
            if (key === 'Enter') keptScroll.ref.current?.querySelector<HTMLAnchorElement>('.place')?.click();
          }}
          onChange={({ target }) => {
            search.setQuery(target.value);
            keptScroll.ref.current?.scrollTo?.(0, 0);
          }}
        />
      </header>
      {isStale && error === null && (
        <p className="stale" role="status">
          Offline. What is new will show when the connection is back.
        </p>
      )}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {memories === null && error === null && <ListSkeleton />}
      {memories?.length === 0 && <EmptyList />}
      {search.found !== null && memories !== null && <SearchResults {...search} />}
      {search.found === null &&
        byDay(memories ?? []).map(([day, ofDay]) => (
          <section key={ofDay[0]?.id} className="day">
            <h2>{day}</h2>
            <ul>
              {ofDay.map((memory) => (
                <MemoryCard key={memory.id} memory={memory} isOpen={memory.id === openId} />
              ))}
            </ul>
          </section>
        ))}
    </nav>
  );
}

function EmptyList() {
  return (
    <div className="empty">
      <h2>Nothing here yet</h2>
      <p>What you record shows up here by itself, a moment after it ends.</p>
    </div>
  );
}

function byDay(memories: readonly ListedMemory[]): [day: string, memories: ListedMemory[]][] {
  const days = new Map<string, ListedMemory[]>();
  for (const memory of memories) {
    const day = formatDay(memory.started_at);
    days.set(day, [...(days.get(day) ?? []), memory]);
  }
  return [...days];
}
