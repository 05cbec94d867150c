import type { MirrorDatabase } from '../database/mirror-database.ts';
import { type MirroredMemory, readMedia, toMirroredMemory } from './mirrored-memory.ts';

/**
 * Returns the newest version of a memory that was read by an instant; undefined if no version is that old.
 *
 * Its media are the current ones, because files have no versions.
 */
export function getMemory(
  database: MirrorDatabase,
  memoryId: string,
  asOf = Number.POSITIVE_INFINITY,
): MirroredMemory | undefined {
  const row = database
    .prepare(
      `SELECT memory_id, versions.* FROM memories JOIN versions USING (memory_key)
      WHERE memory_id = ? AND seen_at <= ? ORDER BY version DESC LIMIT 1`,
    )
    .get(memoryId, asOf);
  if (row === undefined) return undefined;
  const memoryKey = Number(row.memory_key);
  const mark = database
    .prepare(
      `SELECT type, at FROM events WHERE memory_key = ? AND at <= ? AND type IN ('missing', 'returned')
      ORDER BY version DESC LIMIT 1`,
    )
    .get(memoryKey, asOf);
  const missingSince = mark?.type === 'missing' ? mark.at : null;
  return { ...toMirroredMemory(row, missingSince), media: readMedia(database, memoryKey) };
}
