import type { MirrorDatabase } from '../database/open-database.ts';

/** Place of a memory in the order of the index: the second of its start, and its number within that second. */
export interface IndexPlace {
  startedSecond: number;
  disambiguator: number;
}

// The index has 34 and 13 bits for them.
const LAST_SECOND = 2 ** 34 - 1;
const LAST_DISAMBIGUATOR = 2 ** 13 - 1;

/** Returns the second of the index for an instant. The index begins in 1970 and ends in 2514. */
export function secondOf(instant: number): number {
  return Math.min(Math.max(Math.floor(instant / 1000), 0), LAST_SECOND);
}

/** Returns a free place for a memory with this start. If its second is full, the place is in a neighbouring one. */
export function findPlace(database: MirrorDatabase, instant: number): IndexPlace {
  const last = database.prepare('SELECT max(disambiguator) AS last FROM memories WHERE started_second = ?');
  // A purge leaves gaps.
  const gap = database.prepare(
    `SELECT min(disambiguator) + 1 AS free FROM (SELECT -1 AS disambiguator UNION ALL SELECT disambiguator FROM memories
      WHERE started_second = ?1) AS used WHERE used.disambiguator < ?2 AND NOT EXISTS (SELECT 1 FROM memories
      WHERE started_second = ?1 AND memories.disambiguator = used.disambiguator + 1)`,
  );
  const wanted = secondOf(instant);
  const step = wanted === LAST_SECOND ? -1 : 1;
  for (let startedSecond = wanted; ; startedSecond += step) {
    const next = Number(last.get(startedSecond)?.last ?? -1) + 1;
    if (next <= LAST_DISAMBIGUATOR) return { startedSecond, disambiguator: next };
    const free = gap.get(startedSecond, LAST_DISAMBIGUATOR)?.free ?? null;
    if (free !== null) return { startedSecond, disambiguator: Number(free) };
  }
}
