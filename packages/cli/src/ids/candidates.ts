import type { MemoryHit } from '@memory-read/client/search';
import { textOfHit } from '../search/format-found-memory.ts';
import type { Candidate } from './choose-memory.ts';

/** Returns the memories of hits: those with all words in one text, or else all. */
export function toCandidates(hits: readonly MemoryHit[]): Candidate[] {
  const best = hits.filter(({ match }) => match === 'together');
  const candidates = new Map<string, Candidate & { hasTime: boolean }>();
  for (const hit of best.length > 0 ? best : hits) {
    const { memoryId: id, name, startedAt, kind } = hit;
    const known = candidates.get(id);
    // The name is shown already, and the time of the words helps most.
    if (known === undefined || known.place === '' || (kind === 'transcript' && !known.hasTime)) {
      const place = kind === 'name' ? '' : textOfHit(hit);
      candidates.set(id, { id, name, startedAt, place, hasTime: kind === 'transcript' });
    }
  }
  return [...candidates.values()].sort((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt));
}
