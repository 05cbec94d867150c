import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemTimeZone } from '@memory-read/contract/date-time';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { readSetting } from '../database/settings.ts';
import { wipe } from '../database/wipe.ts';
import { isMirrorError } from '../errors/mirror-error.ts';
import { listStoredMemories, shortHash } from '../history/stored-memories.ts';
import { removePages } from '../pages/remove-pages.ts';
import { writeIndex } from '../pages/write-index.ts';
import { removeFromIndex } from '../search/index-memory.ts';

/** Result of a purge. */
export interface PurgeReport {
  /** Whether the mirror had the memory. */
  purged: boolean;
  /** Paths of pages that stay because their owner has edited them, relative to the folder of the mirror. */
  leftFiles: string[];
  /** Whether a reader kept the end of the purge in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

/** Returns whether a memory was purged, so that a sync does not add it again. */
export function isPurged(database: MirrorDatabase, memoryId: string): boolean {
  return database.prepare('SELECT 1 FROM purged WHERE memory_hash = ?').get(hashOfId(memoryId)) !== undefined;
}

/**
 * Removes memories with all data that is derived from them. Only a hash of their ids stays.
 *
 * @throws {@link MirrorError} with the code `busy` if a reader holds the log. `finishPurges` then removes the rest.
 */
export async function purgeMemories(
  storage: MirrorStorage,
  memoryIds: readonly string[],
): Promise<Omit<PurgeReport, 'logPending'>> {
  const { database } = storage;
  const purged = inTransaction(database, () => memoryIds.filter((memoryId) => deleteMemory(database, memoryId)));
  return { purged: purged.length > 0, leftFiles: await finishPurges(storage) };
}

/** Runs work that ends with a wipe. If a reader holds the log, the next opening for writing does the wipe. */
export async function ignoreBusyReaders(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isMirrorError(error) || error.code !== 'busy') throw error;
  }
}

/** Returns whether a purge has begun and is not finished. */
export function hasPendingPurges(database: MirrorDatabase): boolean {
  return database.prepare('SELECT 1 FROM pending_purges').get() !== undefined;
}

/** Finishes purges that have begun. Returns the paths of edited pages, which stay. */
export async function finishPurges(storage: MirrorStorage): Promise<string[]> {
  const { database, folder } = storage;
  const pending = database.prepare('SELECT memory_key, media_folder FROM pending_purges').all();
  if (pending.length === 0) return [];
  const left = pending.flatMap(({ memory_key, media_folder }) => {
    removeMedia(storage, Number(memory_key), String(media_folder));
    return removePages(storage, Number(memory_key));
  });
  // If the write of a page was killed, its temporary file still has the content.
  for (const part of ['', 'pages', 'index'])
    rmSync(join(folder, part, '.writing.tmp'), { recursive: true, force: true });
  if (existsSync(join(folder, 'index.html')) || existsSync(join(folder, 'index'))) {
    const timeZone = readSetting(database, 'time_zone') ?? systemTimeZone();
    await writeIndex(storage, listStoredMemories(database), { timeZone });
  }
  wipe(database);
  database.exec('DELETE FROM pending_purges');
  return left;
}

/** Deletes the memory for readers in one step, and records that files and freed pages of the database remain. */
function deleteMemory(database: MirrorDatabase, memoryId: string): boolean {
  const row = database.prepare('SELECT memory_key FROM memories WHERE memory_id = ?').get(memoryId);
  if (row === undefined) return false;
  const memoryKey = Number(row.memory_key);
  removeFromIndex(database, memoryKey);
  for (const table of ['versions', 'events', 'memories']) {
    database.prepare(`DELETE FROM ${table} WHERE memory_key = ?`).run(memoryKey);
  }
  database.prepare('INSERT OR IGNORE INTO purged (memory_hash) VALUES (?)').run(hashOfId(memoryId));
  database
    .prepare('INSERT INTO pending_purges (memory_key, media_folder) VALUES (?, ?)')
    .run(memoryKey, `media/${shortHash(memoryId)}`);
  return true;
}

function removeMedia({ database, folder }: MirrorStorage, memoryKey: number, mediaFolder: string): void {
  // The folder has all media of the memory, partial downloads and captions. A link is removed, but not its target.
  rmSync(join(folder, mediaFolder), { recursive: true, force: true });
  database.prepare('DELETE FROM media WHERE memory_key = ?').run(memoryKey);
}

function hashOfId(memoryId: string): Uint8Array {
  return createHash('sha256').update(memoryId).digest();
}
