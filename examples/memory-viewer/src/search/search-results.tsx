import { isEmptyQuery, type MemoryHit, parseQuery, type SearchMiss } from '@memory-read/client/search';
import { formatDay } from '../format/format-date.ts';
import { formatPosition } from '../format/format-duration.ts';
import { memoryName } from '../format/memory-name.ts';
import { Icon } from '../player/icon.tsx';
import { formatRoute } from '../route.ts';
import { Highlighted } from './highlighted.tsx';
import { MOST_HITS, type Search } from './use-search.ts';

/** The places that a search finds, by memory, or why there are none. */
export function SearchResults({ query, found, unread }: Search) {
  const { hits, miss } = found ?? { hits: [], miss: null };
  return (
    <div className="results">
      <p role="status" className="search-status">
        {unread > 0 ? `Reading ${unread} more …` : statusOf(hits.length, query)}
      </p>
      {byMemory(hits).map((places) => (
        <Places key={places[0].memoryId} places={places} />
      ))}
      {unread === 0 && miss !== null && <Miss {...miss} />}
    </div>
  );
}

function Places({ places, note }: { places: Hits; note?: string }) {
  const [first] = places;
  return (
    <section className="places" aria-label={memoryName(first)}>
      <h2 dir="auto">{memoryName(first)}</h2>
      <p className="facts">
        <span>{formatDay(first.startedAt)}</span>
        {note !== undefined && <span>{note}</span>}
      </p>
      <ul>
        {places.map(({ memoryId, kind, offset, segments, snippet }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a search replaces all of them.
          <li key={index}>
            <a className="place" href={formatRoute(memoryId, offset ?? undefined)}>
              {segments === null ? (
                <span className="kind">{kindNames[kind]}</span>
              ) : (
                <span className="time">
                  <Icon name="play" />
                  {formatPosition((offset ?? 0) / 1000)}
                </span>
              )}
              <Highlighted {...snippet} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Miss({ words, nearest }: SearchMiss) {
  return (
    <>
      <ul className="words">
        {words.map(({ text, memories }) => (
          <li key={text} dir="auto">
            “{text}” is in {memories === 0 ? 'no memory' : memories === 1 ? '1 memory' : `${memories} memories`}.
          </li>
        ))}
      </ul>
      {nearest.length > 0 && <h2 className="search-status">These have only some of the words:</h2>}
      {nearest.map((hit) => (
        <Places
          key={hit.memoryId}
          places={[hit]}
          note={`without ${hit.missing.map((word) => `“${word}”`).join(', ')}`}
        />
      ))}
    </>
  );
}

const kindNames = { name: 'Name', summary: 'Summary', takeaway: 'Takeaway', transcript: '' };

type Hits = [MemoryHit, ...MemoryHit[]];

function statusOf(hits: number, query: string): string {
  if (hits === MOST_HITS) return `The first ${hits} places`;
  if (hits > 0) return hits === 1 ? '1 place' : `${hits} places`;
  return isEmptyQuery(parseQuery(query)) ? 'Type letters or digits to find them.' : 'No memory has all words.';
}

/** Within a memory, what can be heard comes first. */
function byMemory(hits: readonly MemoryHit[]): Hits[] {
  const memories = new Map<string, Hits>();
  for (const hit of hits) {
    const places = memories.get(hit.memoryId);
    if (places) places.push(hit);
    else memories.set(hit.memoryId, [hit]);
  }
  for (const places of memories.values())
    places.sort((one, other) => Number(one.segments === null) - Number(other.segments === null));
  return [...memories.values()];
}
