import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namesOfVersion } from '../people/names-of-version.ts';
import { isWholeEvent } from './list-history.ts';
import { type MirroredMemory, readMedia, toMirroredMemory } from './mirrored-memory.ts';
import { assertUnknown, damagedVersion } from './stored-version.ts';

/**
 * Returns the newest version of a memory that was read by an instant; undefined if no version is that old.
 *
 * Its media are the current ones, because files have no versions.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function getMemory(
  database: MirrorDatabase,
  memoryId: string,
  asOf = Number.POSITIVE_INFINITY,
): MirroredMemory | undefined {
  const row = database
    .prepare(
      `SELECT memory_id, current_version, versions.* FROM memories JOIN versions USING (memory_key)
      WHERE memory_id = ? AND seen_at <= ? ORDER BY version DESC LIMIT 1`,
    )
    .get(memoryId, asOf);
  if (row === undefined) {
    assertUnknown(database, memoryId);
    return undefined;
  }
  const memoryKey = Number(row.memory_key);
  const lastEvent = (types: string) =>
    database
      .prepare(
        `SELECT * FROM events WHERE memory_key = ? AND at <= ? AND type IN (${types}) ORDER BY version DESC LIMIT 1`,
      )
      .get(memoryKey, asOf);
  const change = lastEvent("'added', 'changed'");
  // Damage can hide a version, so that an older one is found.
  const isNewest = change === undefined || [change.version, row.current_version].includes(row.version ?? null);
  const mark = lastEvent("'missing', 'returned'");
  if (!isNewest || (mark !== undefined && !isWholeEvent(mark))) throw damagedVersion(memoryId, change?.version);
  const missingSince = mark?.type === 'missing' ? mark.at : null;
  const namesOf = (memory: Memory) => namesOfVersion(database, memory, Number(row.version));
  return { ...toMirroredMemory(row, missingSince, namesOf), media: readMedia(database, memoryKey, memoryId) };
}
