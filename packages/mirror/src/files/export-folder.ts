import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { findTimeZone, systemTimeZone } from '@memory-read/contract/date-time';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { FILE } from '../database/open-existing.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { statusOf } from './assert-path-type.ts';
import type { DerivedFolder } from './derived-folder.ts';
import { placeFile, writeTemporary } from './file-content.ts';
import { makeFolder } from './private-files.ts';
import { temporaryPath } from './temporary-path.ts';

/** Marks a folder of exports, so that a database that another program wrote cannot name any other folder. */
const MARK = '.memory-read-export';
const FORMAT = 'memory-read export';
const VERSION = 1;
/** Key of a folder that has no row. */
const NEW = -1;

/** A folder that the mirror exports to, as its database has it. */
export interface FolderRow {
  folderKey: number;
  mark: string;
  /** Absolute path. */
  path: string;
  /** Template of the names. */
  name: string;
  timeZone: string;
  /** Whether the mark was written. */
  isMarked: boolean;
  /** Key of the folder of which this is a copy. */
  copyOf?: number | undefined;
}

/** Returns the folders, in the order in which they were first written. */
export function listFolderRows(database: MirrorDatabase): FolderRow[] {
  const rows = database.prepare('SELECT * FROM export_folders ORDER BY folder_key').all();
  return rows.map((row) => ({
    folderKey: Number(row.folder_key),
    mark: String(row.mark),
    path: String(row.path),
    name: String(row.name),
    // Another program can have written it.
    timeZone: findTimeZone(row.time_zone) ?? systemTimeZone(),
    isMarked: row.is_marked === 1,
  }));
}

/** Returns whether the folder is there, and is the one that the mirror wrote to. */
export function isReachable({ path, mark }: FolderRow): boolean {
  return readMark(path) === mark;
}

export function exportFolderOf({ folderKey, path }: FolderRow, { hardening }: MirrorStorage): DerivedFolder {
  return { folderKey, path, isPrivate: false, hardening };
}

/** What a run wants of its folder. */
interface FolderSettings {
  adopt: boolean;
  /** Defaults for a new folder. */
  name: string;
  timeZone: string;
}

/**
 * Returns the row of a folder. Writes nothing, so that a new folder has no key yet.
 *
 * @throws {@link MirrorError} with the code `foreign_folder` if the folder belongs to something else.
 */
export function findExportFolder(
  { database, folder: mirror }: MirrorStorage,
  path: string,
  { adopt, name, timeZone }: FolderSettings,
): FolderRow {
  assertFree(path, mirror);
  const rows = listFolderRows(database);
  const mark = readMark(path);
  const known = rows.find((row) => row.path === path);
  const fresh = { folderKey: NEW, mark: randomBytes(16).toString('hex'), path, name, timeZone, isMarked: false };
  if (mark === undefined) {
    if (known === undefined) return fresh;
    // The run that added the folder was killed before it wrote the mark.
    if (!known.isMarked) return known;
    if (adopt) return { ...known, mark: fresh.mark, isMarked: false };
    const problem = `its file ${MARK} is missing. Mount the disk, or pass --adopt to write everything again.`;
    throw foreign(path, problem);
  }
  const marked = rows.find((row) => row.mark === mark);
  if (marked?.path === path) return marked;
  if (marked !== undefined) {
    // The same mark at two paths: the folder was copied. Otherwise it was moved.
    const { name, timeZone, folderKey } = marked;
    return isReachable(marked) ? { ...fresh, name, timeZone, copyOf: folderKey } : { ...marked, path };
  }
  if (adopt) return { ...(known ?? fresh), mark: fresh.mark, isMarked: false };
  throw foreign(path, 'another mirror writes to it. Choose another folder, or pass --adopt to take it over.');
}

/** Creates the folder with its mark, and writes its row. Returns the row with its key. */
export async function openExportFolder({ database, hardening }: MirrorStorage, row: FolderRow): Promise<FolderRow> {
  const { path, mark, name, timeZone } = row;
  makeFolder(path);
  const write = (isMarked: boolean) =>
    inTransaction(database, () => {
      // A folder that was moved over another one takes its place.
      const [own, former] = [
        listFolderRows(database).find(({ folderKey }) => folderKey === row.folderKey),
        listFolderRows(database).find((other) => other.path === path && other.folderKey !== row.folderKey),
      ];
      // If two folders were swapped, the other one has the former path of this one. Else it is away.
      const move = database.prepare('UPDATE export_folders SET path = ? WHERE folder_key = ?');
      if (own && former) move.run(mark, own.folderKey);
      if (former) move.run(own?.path ?? `${path} (${former.mark})`, former.folderKey);
      const key = row.folderKey === NEW ? null : row.folderKey;
      const { lastInsertRowid } = database
        .prepare(
          `INSERT INTO export_folders (folder_key, mark, path, name, time_zone, is_marked) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (folder_key) DO UPDATE SET mark = excluded.mark, path = excluded.path, name = excluded.name,
            time_zone = excluded.time_zone, is_marked = excluded.is_marked`,
        )
        .run(key, mark, path, name, timeZone, Number(isMarked));
      const folderKey = key ?? Number(lastInsertRowid);
      if (!isMarked && row.copyOf !== undefined) copyRows(database, row.copyOf, folderKey);
      return folderKey;
    });
  const [known] = listFolderRows(database).filter(({ folderKey }) => folderKey === row.folderKey);
  if (row.isMarked && known?.path === path && known.name === name && known.timeZone === timeZone) return row;
  const folderKey = write(row.isMarked);
  if (row.isMarked) return row;
  const text = `${JSON.stringify({ format: FORMAT, version: VERSION, id: mark })}\n`;
  const temporary = temporaryPath(path);
  await writeTemporary({ text }, temporary, { isPrivate: false, hardening });
  placeFile(temporary, { path: join(path, MARK), isNew: false });
  row = { ...row, folderKey, isMarked: true };
  write(true);
  return row;
}

/** The files of a copy are ours too, until their bytes differ. */
function copyRows(database: MirrorDatabase, from: number, to: number): void {
  const columns = 'memory_key, part, number, suffix, path, version, depends, written, intended, intended_path';
  database
    .prepare(
      `INSERT INTO files (folder_key, ${columns}, stamp, is_edited) SELECT ?, ${columns}, '', 0 FROM files WHERE folder_key = ?`,
    )
    .run(to, from);
  database
    .prepare('INSERT INTO stems SELECT ?, memory_key, basis, wanted, stem FROM stems WHERE folder_key = ?')
    .run(to, from);
}

/** Returns the id in the mark of a folder; undefined if it has none. */
function readMark(folder: string): string | undefined {
  const path = join(folder, MARK);
  if (statusOf(path)?.isFile() !== true) return undefined;
  try {
    const { format, version, id } = JSON.parse(readFileSync(path, 'utf8'));
    if (format === FORMAT && version === VERSION && /^[0-9a-f]{32}$/.test(id)) return id;
  } catch {
    // Something else wrote the file.
  }
  return 'unknown';
}

/** Files of a folder that an earlier version kept by itself. */
const earlier = ['memory-read.json', '.memory-read'];

function assertFree(path: string, mirror: string): void {
  const status = statusOf(path);
  if (status !== undefined && !status.isDirectory() && !isLinkedFolder(path)) {
    throw new MirrorError('storage', `Failed to use ${JSON.stringify(path)}: it is not a folder. Choose a folder.`);
  }
  for (const name of earlier) {
    if (!existsSync(join(path, name))) continue;
    const advice = 'Choose another folder, or remove memory-read.json and .memory-read to keep its files as your own.';
    throw foreign(path, `an earlier memory-read wrote it (${name}). ${advice}`);
  }
  const whole = realPathOf(path);
  for (let folder = whole; ; folder = dirname(folder)) {
    if (existsSync(join(folder, FILE))) {
      const place = folder === whole ? 'it is a mirror' : `it is in a mirror (${JSON.stringify(folder)})`;
      throw foreign(path, `${place}. Choose a folder outside of it.`);
    }
    if (folder === dirname(folder)) break;
  }
  const isInIt = `${realPathOf(mirror)}${sep}`.startsWith(`${whole}${sep}`);
  if (isInIt || (readMark(path) === undefined && hasMirror(path)))
    throw foreign(path, 'a mirror is in it. Choose another folder.');
}

/** Folders that are searched for a mirror. A folder of exports has few; one with more is something else. */
const MOST_FOLDERS = 2_000;

function hasMirror(path: string): boolean {
  const queue = [path];
  for (let index = 0; index < queue.length && index < MOST_FOLDERS; index += 1) {
    const folder = queue[index] as string;
    if (index > 0 && existsSync(join(folder, FILE))) return true;
    for (const name of foldersIn(folder)) queue.push(join(folder, name));
  }
  return false;
}

function foldersIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // A folder that is missing or cannot be read has no mirror that could be used.
    return [];
  }
}

function isLinkedFolder(path: string): boolean {
  try {
    return statusOf(realpathSync(path))?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Returns the path without links, also if its end does not exist: two paths of a folder are the same folder. */
export function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return path === dirname(path) ? path : join(realPathOf(dirname(path)), basename(path));
}

function foreign(path: string, problem: string): MirrorError {
  return new MirrorError('foreign_folder', `Failed to use ${JSON.stringify(path)}: ${problem}`);
}
