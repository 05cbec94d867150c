import { join, resolve } from 'node:path';
import { systemTimeZone } from '@memory-read/contract/date-time';
import { fileErrorCode } from '@memory-read/contract/file-errors';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { readSetting } from '../database/settings.ts';
import { wipe } from '../database/wipe.ts';
import { writeBackLog } from '../database/write-back-log.ts';
import { statusOf } from '../files/assert-path-type.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import { exportFolderOf, type FolderRow, isReachable, listFolderRows } from '../files/export-folder.ts';
import { NO_MEMORY } from '../files/file-tables.ts';
import { listStoredMemories } from '../history/stored-memories.ts';
import { writeIndex } from '../pages/write-index.ts';
import { mirrorFolder } from '../pages/write-pages.ts';
import { isPersonPage, writePeoplePages } from '../pages/write-people-pages.ts';
import { findMovedFiles, type SoughtFiles, soughtFiles } from './find-moved-files.ts';
import { forgetFiles } from './forgotten-files.ts';
import { hasPendingPurges, pendingPurges } from './pending-purges.ts';
import { removeMedia } from './remove-media.ts';
import { writeWithoutNames } from './write-without-names.ts';

/** A purge that has ended. */
export interface FinishedPurge {
  /** What was purged, as the name of a pending purge. */
  purgeName: string;
  leftFiles: string[];
  pendingFolders: string[];
}

/** Files of a purge that stay, and folders that are away. */
interface Purged {
  purgeName: string;
  memoryKey: number;
  left: Set<string>;
  away: Set<string>;
}

type PurgedMemory = Purged & SoughtFiles;

/**
 * Finishes purges that have begun, with one wipe.
 *
 * @param action - What the caller wanted, for messages.
 * @throws {@link MirrorError} with the code `busy` if a reader holds the log.
 */
export async function finishPurges(storage: MirrorStorage, action?: string): Promise<FinishedPurge[]> {
  const { database, folder } = storage;
  if (!hasPendingPurges(database)) return [];
  const memories: PurgedMemory[] = [];
  const names: Purged[] = [];
  const own = await DerivedFiles.open(database, mirrorFolder(storage));
  for (const { purgeName, memoryKey, shortHash, leftFiles, pendingFolders } of pendingPurges(database)) {
    const purged = { purgeName, memoryKey, left: new Set(leftFiles), away: new Set(pendingFolders) };
    if (shortHash === undefined) {
      names.push(purged);
      continue;
    }
    const memory = { ...purged, ...soughtFiles(database, { memoryKey, shortHash }) };
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
  if (own.rowsOf(NO_MEMORY).length > 0) await writeAgain(storage, own, { memories, names });
  // A purge that is killed later knows what it left only from this transaction.
  const finished = inTransaction(database, () => {
    const note = database.prepare('UPDATE pending_purges SET left_files = ?, pending_folders = ? WHERE memory_key = ?');
    return [...memories, ...names].map(({ memoryKey, purgeName, left, away }) => {
      for (const { folderKey, path } of pendingFolders) if (forgetFiles(database, folderKey, memoryKey)) away.add(path);
      const ended = {
        purgeName,
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
  wipe(database, action);
  database.exec('DELETE FROM pending_purges');
  // The names of the files that are left were in it.
  writeBackLog(database);
  return finished;
}

/** Writes the files again that show all memories or people; after a purge of names, also the pages of memories. */
async function writeAgain(
  storage: MirrorStorage,
  own: DerivedFiles,
  { memories, names }: { memories: readonly PurgedMemory[]; names: readonly Purged[] },
): Promise<void> {
  const { database } = storage;
  const timeZone = readSetting(database, 'time_zone') ?? systemTimeZone();
  let files = own;
  if (names.length > 0) {
    const noted = names.map(({ left }) => left);
    files = await writeWithoutNames(storage, noted, timeZone);
  } else {
    await writePeoplePages(storage, files);
    await writeIndex(storage, files, listStoredMemories(database), { timeZone });
  }
  const edited = files.rowsOf(NO_MEMORY).filter((row) => row.isEdited && !isPersonPage(row));
  for (const { path } of edited) for (const { left } of memories) left.add(path);
}

function isThere(path: string): boolean {
  try {
    return statusOf(path) !== undefined;
  } catch (error) {
    // With a file in place of its folder, it is gone. After another error, it can be there.
    return fileErrorCode(error) !== 'ENOTDIR';
  }
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
