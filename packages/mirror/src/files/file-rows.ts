import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isInside } from './is-inside.ts';

/** A row of `files`. */
export interface FileRow {
  /** 0 until the row is inserted. */
  fileKey: number;
  folderKey: number;
  memoryKey: number;
  part: string;
  number: number;
  suffix: string;
  /** Relative to the folder, with `/`. */
  path: string;
  version: string;
  depends: string;
  written: string | null;
  intended: string | null;
  intendedPath: string | null;
  stamp: string;
  isEdited: boolean;
}

/** Returns the rows of a folder by memory, each memory's in the order of their numbers. A path out of the folder is not used. */
export function readRows(database: MirrorDatabase, folderKey: number): Map<number, FileRow[]> {
  const byMemory = new Map<number, FileRow[]>();
  const rows = database.prepare('SELECT * FROM files WHERE folder_key = ? ORDER BY number');
  for (const row of rows.iterate(folderKey)) {
    const read = toRow(row);
    const isOurs = [read.path, read.intendedPath ?? read.path].every(isInside) && /^(\.[\w-]+)+$/.test(read.suffix);
    if (!isOurs) continue;
    const known = byMemory.get(read.memoryKey);
    if (known === undefined) byMemory.set(read.memoryKey, [read]);
    else known.push(read);
  }
  return byMemory;
}

/** Writes the rows, and deletes those that are no longer files. Call it in a transaction. */
export function writeRows(database: MirrorDatabase, rows: Iterable<FileRow>, dropped: Iterable<FileRow>): void {
  const insert = database.prepare(
    `INSERT INTO files (folder_key, memory_key, part, number, suffix, path, version, depends, written, intended,
      intended_path, stamp, is_edited) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE files SET suffix = ?, path = ?, version = ?, depends = ?, written = ?, intended = ?, intended_path = ?, stamp = ?,
      is_edited = ? WHERE file_key = ?`,
  );
  const remove = database.prepare('DELETE FROM files WHERE file_key = ?');
  for (const row of rows) {
    const { folderKey, memoryKey, part, number, suffix, path, version, depends, written, intended, intendedPath } = row;
    const values = [path, version, depends, written, intended, intendedPath, row.stamp, Number(row.isEdited)];
    if (row.fileKey > 0) update.run(suffix, ...values, row.fileKey);
    else row.fileKey = Number(insert.run(folderKey, memoryKey, part, number, suffix, ...values).lastInsertRowid);
  }
  for (const { fileKey } of dropped) remove.run(fileKey);
}

function toRow(row: Record<string, unknown>): FileRow {
  return {
    fileKey: Number(row.file_key),
    folderKey: Number(row.folder_key),
    memoryKey: Number(row.memory_key),
    part: String(row.part),
    number: Number(row.number),
    suffix: String(row.suffix),
    path: String(row.path),
    version: String(row.version),
    depends: String(row.depends),
    written: row.written as string | null,
    intended: row.intended as string | null,
    intendedPath: row.intended_path as string | null,
    stamp: String(row.stamp),
    isEdited: row.is_edited === 1,
  };
}
