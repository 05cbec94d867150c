import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MIRROR_FOLDER, NO_MEMORY } from '../files/file-tables.ts';
import { shortHash } from '../history/stored-memories.ts';
import { parseStored } from '../history/stored-version.ts';

/** A purge that has begun: rows are deleted, and their files and freed pages of the database still exist. */
export interface PendingPurge {
  /** What is purged: the folder of the media of a memory, or `people/` and a digest. */
  purgeName: string;
  /** Key of the memory. Below 0 if only names are purged. */
  memoryKey: number;
  /** Digits of the SHA-256 of the id; undefined if only names are purged. */
  shortHash: string | undefined;
  leftFiles: string[];
  pendingFolders: string[];
}

/** Returns the name of the purge of a memory. */
export function memoryPurge(memoryId: string): string {
  return `media/${shortHash(memoryId)}`;
}

/** Returns the name of the purge of names. */
export function namesPurge(text: string): string {
  return `people/${shortHash(text)}`;
}

/** Returns the purges that have begun. A row that another program wrote is left out. */
export function pendingPurges(database: MirrorDatabase): PendingPurge[] {
  const rows = database.prepare('SELECT * FROM pending_purges').all();
  return rows.flatMap((row) => {
    const [purgeName, kind, digest] = /^(media|people)\/([0-9a-f]{24})$/.exec(String(row.media_folder)) ?? [];
    if (purgeName === undefined) return [];
    const [leftFiles, pendingFolders] = [storedPaths(row.left_files), storedPaths(row.pending_folders)];
    const memoryKey = Number(row.memory_key);
    return { purgeName, memoryKey, shortHash: kind === 'media' ? digest : undefined, leftFiles, pendingFolders };
  });
}

/** Returns the paths of stored JSON. What is damaged cannot be named. */
function storedPaths(text: unknown): string[] {
  const paths = parseStored(text);
  if (!Array.isArray(paths)) return [];
  return paths.filter((path): path is string => typeof path === 'string' && !path.includes('\0'));
}

/** Returns whether a purge has begun and is not finished. */
export function hasPendingPurges(database: MirrorDatabase): boolean {
  return database.prepare('SELECT 1 FROM pending_purges').get() !== undefined;
}

/**
 * Records that a memory was deleted, or without a key, that names were. Call it in the transaction that deletes. The edited
 * pages of people who are gone stay.
 */
export function notePurge(
  database: MirrorDatabase,
  { purgeName, memoryKey, leftFiles = [] }: { purgeName: string; memoryKey?: number; leftFiles?: readonly string[] },
): void {
  const pages = database
    .prepare(
      `SELECT path FROM files WHERE folder_key = ? AND memory_key = ? AND part LIKE 'person %'
      AND CAST(substr(part, 8) AS INTEGER) NOT IN (SELECT person_key FROM people)`,
    )
    .all(MIRROR_FOLDER, NO_MEMORY);
  const left = new Set([...leftFiles, ...pages.map(({ path }) => String(path))]);
  const { next } = database.prepare('SELECT min(0, min(memory_key)) - 1 AS next FROM pending_purges').get() ?? {};
  database
    .prepare('INSERT INTO pending_purges (memory_key, media_folder, left_files) VALUES (?, ?, ?)')
    .run(memoryKey ?? Number(next ?? -1), purgeName, JSON.stringify([...left]));
}
