import { createHash } from 'node:crypto';
import type { MediaKind, Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isInside } from '../files/is-inside.ts';
import { readVersion } from './stored-version.ts';

/** Data that every generated file of a memory depends on. Its text is that of the last version with words. */
export interface StoredMemory {
  memoryKey: number;
  memoryId: string;
  version: number;
  isMissing: boolean;
  startedAt: string;
  hasTranscript: boolean;
  /** Kinds of media that the server has. */
  kinds: readonly MediaKind[];
  media: { [Kind in MediaKind]?: StoredMedia };
}

/** A media file of the mirror. */
export interface StoredMedia {
  /** Path relative to the folder of the mirror, with `/`. */
  path: string;
  contentType: string | null;
  /** SHA-256 in hexadecimal; null if an earlier version saved the file. */
  sha256: string | null;
}

/** Returns all memories, newest first, without their texts. */
export function listStoredMemories(database: MirrorDatabase): StoredMemory[] {
  const media = new Map<number, StoredMemory['media']>();
  const files = database.prepare(
    `SELECT memory_key, memory_id, kind, path, content_type, sha256 FROM media JOIN memories USING (memory_key)
    WHERE is_current = 1`,
  );
  for (const { memory_key, memory_id, kind, path, content_type, sha256 } of files.iterate()) {
    if (!isMediaPath(String(path), memory_id, kind)) continue;
    const known = media.get(Number(memory_key)) ?? {};
    known[kind as MediaKind] = {
      path: String(path),
      contentType: content_type as string | null,
      sha256: sha256 as string | null,
    };
    media.set(Number(memory_key), known);
  }
  const memories = database.prepare(
    `SELECT memory_key, memory_id, version, missing_since, media, memories.started_at AS current_start,
      CASE WHEN json_valid(content) THEN json_extract(content, '$.started_at') END AS started_at,
      CASE WHEN json_valid(content) THEN json_type(content, '$.transcript') END AS transcript
    FROM memories JOIN versions USING (memory_key) WHERE version = indexed_version
    ORDER BY start_slot DESC, disambiguator DESC`,
  );
  return memories.all().map((row) => ({
    memoryKey: Number(row.memory_key),
    memoryId: String(row.memory_id),
    version: Number(row.version),
    isMissing: row.missing_since !== null,
    startedAt: String(row.started_at ?? new Date(Number(row.current_start)).toISOString()),
    hasTranscript: row.transcript === 'object',
    kinds: String(row.media).split(' ').filter(Boolean) as MediaKind[],
    media: media.get(Number(row.memory_key)) ?? {},
  }));
}

/**
 * Returns a function that reads the text of a memory. It returns undefined if the memory was purged since the list.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function textReader(database: MirrorDatabase): (stored: StoredMemory) => Memory | undefined {
  const find = database.prepare('SELECT * FROM versions WHERE memory_key = ? AND version = ?');
  return ({ memoryKey, memoryId, version }) => {
    const row = find.get(memoryKey, version);
    return row && readVersion({ ...row, memory_id: memoryId });
  };
}

/** Returns the digits that represent an id or a state in file names. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Returns whether a path of the database is that of a recording of a memory. Another path is not used. */
export function isMediaPath(path: string, memoryId: unknown, kind: unknown): boolean {
  const start = `media/${shortHash(String(memoryId))}/${kind}-`;
  return path.startsWith(start) && !path.slice(start.length).includes('/') && isInside(path);
}

/** Keeps the digest of a recording that an earlier version saved. */
export function noteDigest(database: MirrorDatabase, path: string, sha256: string): void {
  database.prepare('UPDATE media SET sha256 = ? WHERE path = ?').run(sha256, path);
}
