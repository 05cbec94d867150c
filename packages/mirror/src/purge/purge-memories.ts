import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { statement } from '../database/statement.ts';
import { isMirrorError } from '../errors/mirror-error.ts';
import { forgetNamings } from '../people/forget-namings.ts';
import { removeFromIndex } from '../search/index-memory.ts';
import { type FinishedPurge, finishPurges } from './finish-purges.ts';
import { hashOf } from './forgotten-files.ts';
import { memoryPurge, namesPurge, notePurge } from './pending-purges.ts';

/** Result of a purge. */
export interface PurgeReport {
  /** Whether the mirror had the memory. */
  purged: boolean;
  /**
   * Files of the memory that stay because they belong to their owner: edited, moved, copied, or put beside its
   * recordings. Paths are relative to the folder of the mirror, or absolute for a file outside of it.
   */
  leftFiles: string[];
  /**
   * Folders of exports that are away, such as a disk, or cannot be written. The next export to such a folder removes the
   * files there.
   */
  pendingFolders: string[];
  /** Whether a reader kept the end of the purge in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

/** Returns whether a memory was purged, so that a sync does not add it again. */
export function isPurged(database: MirrorDatabase, memoryId: string): boolean {
  return statement(database, 'SELECT 1 FROM purged WHERE memory_hash = ?').get(hashOf(memoryId)) !== undefined;
}

/**
 * Removes memories with all data that is derived from them. Only a hash of their ids stays. Returns the purges that have
 * ended, also those that began earlier.
 *
 * @throws {@link MirrorError} with the code `busy` if a reader holds the log. `finishPurges` then removes the rest.
 */
export async function purgeMemories(storage: MirrorStorage, memoryIds: readonly string[]): Promise<FinishedPurge[]> {
  const { database } = storage;
  inTransaction(database, () => {
    for (const memoryId of memoryIds) deleteMemory(database, memoryId);
  });
  return finishPurges(storage);
}

/** Runs work that ends with a wipe. If a reader holds the log, the next opening for writing does the wipe. */
export async function ignoreBusyReaders<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isMirrorError(error) || error.code !== 'busy') throw error;
    return undefined;
  }
}

/** Deletes the memory for readers in one step, and records that files and freed pages of the database remain. */
function deleteMemory(database: MirrorDatabase, memoryId: string): void {
  const row = database.prepare('SELECT memory_key FROM memories WHERE memory_id = ?').get(memoryId);
  // Names can wait for a memory that the mirror never had.
  const isNamed = database.prepare('SELECT 1 FROM namings WHERE memory_id = ?').get(memoryId) !== undefined;
  if (row === undefined && !isNamed) return;
  forgetNamings(database, memoryId);
  if (row === undefined) {
    notePurge(database, { purgeName: namesPurge(memoryId) });
    return;
  }
  const memoryKey = Number(row.memory_key);
  removeFromIndex(database, memoryKey);
  for (const table of ['versions', 'events', 'deliveries', 'memories']) {
    database.prepare(`DELETE FROM ${table} WHERE memory_key = ?`).run(memoryKey);
  }
  database.prepare('INSERT OR IGNORE INTO purged (memory_hash) VALUES (?)').run(hashOf(memoryId));
  notePurge(database, { purgeName: memoryPurge(memoryId), memoryKey });
}
