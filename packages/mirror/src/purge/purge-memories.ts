import { join, resolve } from 'node:path';
import { systemTimeZone } from '@memory-read/contract/date-time';
import { fileErrorCode } from '@memory-read/contract/file-errors';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { readSetting } from '../database/settings.ts';
import { wipe } from '../database/wipe.ts';
import { writeBackLog } from '../database/write-back-log.ts';
import { isMirrorError } from '../errors/mirror-error.ts';
import { statusOf } from '../files/assert-path-type.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import { exportFolderOf, type FolderRow, isReachable, listFolderRows } from '../files/export-folder.ts';
import { NO_MEMORY } from '../files/file-tables.ts';
import { listStoredMemories, shortHash } from '../history/stored-memories.ts';
import { writeIndex } from '../pages/write-index.ts';
import { mirrorFolder } from '../pages/write-pages.ts';
import { forgetNamings } from '../people/forget-namings.ts';
import { removeFromIndex } from '../search/index-memory.ts';
import { findMovedFiles, type SoughtFiles, soughtFiles } from './find-moved-files.ts';
import { forgetFiles, hashOf } from './forgotten-files.ts';
import { removeMedia } from './remove-media.ts';
import { storedNames } from './stored-names.ts';

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

/** A purge that has ended. */
export interface FinishedPurge extends Omit<PurgeReport, 'purged' | 'logPending'> {
  /** Digits of the SHA-256 of the id. */
  shortHash: string;
}

/** Returns whether a memory was purged, so that a sync does not add it again. */
export function isPurged(database: MirrorDatabase, memoryId: string): boolean {
  return database.prepare('SELECT 1 FROM purged WHERE memory_hash = ?').get(hashOf(memoryId)) !== undefined;
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

/** Returns whether a purge has begun and is not finished. */
export function hasPendingPurges(database: MirrorDatabase): boolean {
  return database.prepare('SELECT 1 FROM pending_purges').get() !== undefined;
}

/** Finishes purges that have begun. */
export async function finishPurges(storage: MirrorStorage): Promise<FinishedPurge[]> {
  const { database, folder } = storage;
  const pending = database
    .prepare('SELECT * FROM pending_purges')
    .all()
    .map((row) => ({
      memoryKey: Number(row.memory_key),
      shortHash: /^media\/([0-9a-f]{24})$/.exec(String(row.media_folder))?.[1],
      leftFiles: storedNames(row.left_files),
      pendingFolders: storedNames(row.pending_folders),
    }));
  if (pending.length === 0) return [];
  const memories: PurgedMemory[] = [];
  const own = await DerivedFiles.open(database, mirrorFolder(storage));
  for (const { memoryKey, shortHash, ...known } of pending) {
    // Another program can have written the row.
    if (shortHash === undefined) continue;
    const sought = soughtFiles(database, { memoryKey, shortHash });
    const memory = { memoryKey, ...sought, left: new Set(known.leftFiles), away: new Set(known.pendingFolders) };
    memories.push(memory);
    const { left } = await own.remove(own.rowsOf(memoryKey));
    for (const path of left) memory.left.add(path);
    for (const path of removeMedia(storage, memory)) memory.left.add(path);
  }
  await addMoved(own, memories, { part: 'pages', nameOf: (path) => path });
  const pendingFolders: FolderRow[] = [];
  for (const row of listFolderRows(database)) {
    if (!(await removeExports(storage, row, memories))) pendingFolders.push(row);
  }
  if (own.rowsOf(NO_MEMORY).length > 0) {
    const timeZone = readSetting(database, 'time_zone') ?? systemTimeZone();
    await writeIndex(storage, own, listStoredMemories(database), { timeZone });
    const edited = own.rowsOf(NO_MEMORY).filter(({ isEdited }) => isEdited);
    for (const { path } of edited) for (const { left } of memories) left.add(path);
  }
  // A purge that is killed later knows what it left only from this transaction.
  const finished = inTransaction(database, () => {
    const note = database.prepare('UPDATE pending_purges SET left_files = ?, pending_folders = ? WHERE memory_key = ?');
    return memories.map(({ memoryKey, shortHash, left, away }) => {
      for (const { folderKey, path } of pendingFolders) if (forgetFiles(database, folderKey, memoryKey)) away.add(path);
      const ended = {
        shortHash,
        leftFiles: [...left].filter((path) => isThere(resolve(folder, path))),
        pendingFolders: [...away],
      };
      note.run(JSON.stringify(ended.leftFiles), JSON.stringify(ended.pendingFolders), memoryKey);
      for (const table of ['files', 'stems', 'media']) {
        database.prepare(`DELETE FROM ${table} WHERE memory_key = ?`).run(memoryKey);
      }
      return ended;
    });
  });
  wipe(database);
  database.exec('DELETE FROM pending_purges');
  // The names of the files that are left were in it.
  writeBackLog(database);
  return finished;
}

function isThere(path: string): boolean {
  try {
    return statusOf(path) !== undefined;
  } catch (error) {
    // With a file in place of its folder, it is gone. After another error, it can be there.
    return fileErrorCode(error) !== 'ENOTDIR';
  }
}

interface PurgedMemory extends SoughtFiles {
  memoryKey: number;
  left: Set<string>;
  away: Set<string>;
}

/** Removes the files of the memories in a folder of exports. Returns false if it is away or cannot be written. */
async function removeExports(
  storage: MirrorStorage,
  row: FolderRow,
  memories: readonly PurgedMemory[],
): Promise<boolean> {
  if (!isReachable(row)) return false;
  const nameOf = (path: string) => join(row.path, path);
  try {
    const files = await DerivedFiles.open(storage.database, exportFolderOf(row, storage));
    for (const { memoryKey, left } of memories) {
      for (const path of (await files.remove(files.rowsOf(memoryKey))).left) left.add(nameOf(path));
    }
    await addMoved(files, memories, { part: '', nameOf });
    return true;
  } catch (error) {
    // A folder that cannot be written must not keep the purge from the others.
    if (fileErrorCode(error) === undefined) throw error;
    return false;
  }
}

/** Adds the files that the owner of the folder moved or copied. */
async function addMoved(
  files: DerivedFiles,
  memories: readonly PurgedMemory[],
  { part, nameOf }: { part: string; nameOf: (path: string) => string },
): Promise<void> {
  const others = files.stampsExcept(new Set(memories.map(({ memoryKey }) => memoryKey)));
  for await (const { path, memory } of findMovedFiles(files.folder.path, part, { memories, others })) {
    memory.left.add(nameOf(path));
  }
}

/** Deletes the memory for readers in one step, and records that files and freed pages of the database remain. */
function deleteMemory(database: MirrorDatabase, memoryId: string): void {
  const row = database.prepare('SELECT memory_key FROM memories WHERE memory_id = ?').get(memoryId);
  if (row === undefined) return;
  forgetNamings(database, memoryId);
  const memoryKey = Number(row.memory_key);
  removeFromIndex(database, memoryKey);
  for (const table of ['versions', 'events', 'memories']) {
    database.prepare(`DELETE FROM ${table} WHERE memory_key = ?`).run(memoryKey);
  }
  database.prepare('INSERT OR IGNORE INTO purged (memory_hash) VALUES (?)').run(hashOf(memoryId));
  database
    .prepare('INSERT INTO pending_purges (memory_key, media_folder) VALUES (?, ?)')
    .run(memoryKey, `media/${shortHash(memoryId)}`);
}
