import type { ListedMemory } from '@memory-read/client';
import { formatDay } from '../format/format-date.ts';
import { Problem } from '../problem/problem.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { MemoryCard } from './memory-card.tsx';
import type { Memories } from './use-memories.ts';

/** All memories by day, or why there are none to see. */
export function MemoryList({ memories, error, isStale, retry, openId }: Memories & { openId: string | null }) {
  return (
    <nav className="list" aria-label="Memories">
      <header>
        <h1>Memories</h1>
        {memories !== null && memories.length > 0 && <p className="count">{memories.length}</p>}
      </header>
      {isStale && error === null && (
        <p className="stale" role="status">
          Offline. What is new will show when the connection is back.
        </p>
      )}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {memories === null && error === null && <ListSkeleton />}
      {memories?.length === 0 && <EmptyList />}
      {byDay(memories ?? []).map(([day, ofDay]) => (
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
