import { createHash } from 'node:crypto';
import type { MediaKind, Memory } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isMediaPath } from '../files/assert-inside.ts';
import { ifWhole, parseStored, readVersion } from './stored-version.ts';

/** Data that every generated file of a memory depends on. Its text is that of the last version with words. */
export interface StoredMemory {
  memoryKey: number;
  memoryId: string;
  version: number;
  isMissing: boolean;
  startedAt: string;
  media: { [Kind in MediaKind]?: StoredMedia };
}

/** A media file of the mirror. */
export interface StoredMedia {
  /** Path relative to the folder of the mirror, with `/`. */
  path: string;
  contentType: string | null;
}

/** Returns all memories, newest first, without their texts. */
export function listStoredMemories(database: MirrorDatabase): StoredMemory[] {
  const media = new Map<number, StoredMemory['media']>();
  const files = database.prepare('SELECT memory_key, kind, path, content_type FROM media WHERE is_current = 1');
  for (const { memory_key, kind, path, content_type } of files.iterate()) {
    if (!isMediaPath(String(path))) continue;
    const known = media.get(Number(memory_key)) ?? {};
    known[kind as MediaKind] = { path: String(path), contentType: content_type as string | null };
    media.set(Number(memory_key), known);
  }
  // The text of the name has the start of the indexed version. The current version can have another one.
  const memories = database.prepare(
    `SELECT memories.*, segments FROM memories
    LEFT JOIN units ON unit_key = (start_slot << 29) + (disambiguator << 16) + 65535
    ORDER BY start_slot DESC, disambiguator DESC`,
  );
  const readText = textReader(database);
  return memories.all().map((row) => {
    const stored = {
      memoryKey: Number(row.memory_key),
      memoryId: String(row.memory_id),
      version: Number(row.indexed_version),
      isMissing: row.missing_since !== null,
      startedAt: String(parseStored(row.segments) ?? ''),
      media: media.get(Number(row.memory_key)) ?? {},
    };
    if (parseDateTime(stored.startedAt) !== undefined) return stored;
    const startedAt = ifWhole(() => readText(stored)?.started_at) ?? new Date(Number(row.started_at)).toISOString();
    return { ...stored, startedAt };
  });
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

/** Returns the digits that represent an id in file names. */
export function shortHash(memoryId: string): string {
  return createHash('sha256').update(memoryId).digest('hex').slice(0, 24);
}
