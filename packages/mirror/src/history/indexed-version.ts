import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { assertUnknown, readVersion } from './stored-version.ts';

/**
 * Returns the version of a memory that search and pages use; undefined if the mirror does not have the memory.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function readIndexedVersion(
  database: MirrorDatabase,
  memoryId: string,
): { memory: Memory; version: number; memoryKey: number } | undefined {
  const row = statement(
    database,
    `SELECT versions.*, memory_id, memories.memory_key, indexed_version AS version FROM memories
    LEFT JOIN versions ON versions.memory_key = memories.memory_key AND versions.version = indexed_version
    WHERE memory_id = ?`,
  ).get(memoryId);
  if (row === undefined) {
    assertUnknown(database, memoryId);
    return undefined;
  }
  return { memory: readVersion(row), version: Number(row.version), memoryKey: Number(row.memory_key) };
}
