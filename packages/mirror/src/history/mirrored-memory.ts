import type { MediaKind, Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { StoredNames } from '../people/stored-names.ts';
import { isMediaPath } from './stored-memories.ts';
import { readVersion } from './stored-version.ts';

/** A version of a memory in a mirror. */
export interface MirroredMemory {
  /** The memory as the server sent it, except that the three URLs are null. In a list, its transcript is null too. */
  memory: Memory;
  /** Number of the event that added this version. */
  version: number;
  /** Time at which a sync read this version for the first time. */
  seenAt: Date;
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
  /**
   * Name of each speaker who was named, by label. The object has no prototype, and no promised order. In a list, the names
   * are those of the version that search uses. Doubtful names are left out.
   */
  names: Record<string, string>;
  /** The one of these names that is yours; null if none is. */
  me: string | null;
  /** Saved media by kind: path relative to the folder of the mirror, with `/`, and size in bytes. `{}` in a list. */
  media: { [Kind in MediaKind]?: { path: string; size: number } };
}

/**
 * Returns a row of `versions` with its `memory_id` in the form of the public type.
 *
 * @param namesOf - Returns the names of the version.
 */
export function toMirroredMemory(
  row: Readonly<Record<string, unknown>>,
  missingSince: unknown,
  namesOf: (memory: Memory) => StoredNames,
): MirroredMemory {
  const memory = readVersion(row);
  const { names, me } = namesOf(memory);
  return {
    memory,
    version: Number(row.version),
    seenAt: new Date(Number(row.seen_at)),
    missingSince: missingSince === null ? null : new Date(Number(missingSince)),
    names,
    me,
    media: {},
  };
}

/** Returns the files of a memory that belong to its current version. */
export function readMedia(database: MirrorDatabase, memoryKey: number, memoryId: string): MirroredMemory['media'] {
  const rows = database
    .prepare('SELECT kind, path, size FROM media WHERE memory_key = ? AND is_current = 1')
    .all(memoryKey);
  const files = rows.map(({ kind, path, size }) => ({ kind, path: String(path), size: Number(size) }));
  return Object.fromEntries(
    files.flatMap(({ kind, path, size }) => (isMediaPath(path, memoryId, kind) ? [[kind, { path, size }]] : [])),
  );
}
