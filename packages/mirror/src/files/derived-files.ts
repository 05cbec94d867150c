import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import type { DerivedFile, DerivedFileEvents, FileNames, Move } from './derived-file.ts';
import type { DerivedFolder } from './derived-folder.ts';
import { digestFile, stampOf } from './digest-file.ts';
import {
  canMove,
  type FileContent,
  hashOf,
  isUnwantedLink,
  moveFile,
  placeFile,
  writeTemporary,
} from './file-content.ts';
import { type FileRow, readRows, writeRows } from './file-rows.ts';
import { ANY_BYTES, MIRROR_FOLDER } from './file-tables.ts';
import { isInside } from './is-inside.ts';
import { isRealFolder, makeFolders } from './make-folders.ts';
import { removeEmptyFolders } from './remove-empty-folders.ts';
import { Stems } from './stems.ts';
import { isTemporary, temporaryPath } from './temporary-path.ts';

interface DueFile {
  file: DerivedFile;
  row: FileRow;
  content: FileContent;
  hash: string;
  /** Stamp of the file that is replaced; undefined for a new file. */
  replaces: string | undefined;
}

const FILES_AT_ONCE = 200;
/** Characters of texts that wait for the next batch. */
const TEXT_AT_ONCE = 8_000_000;
/** Files that are open at the same time. */
const OPEN_FILES = 50;

/**
 * Writes, renames and removes the files of a folder.
 *
 * An intent is committed before each step, so that a run that is killed leaves no file that the next run does not know.
 * A file whose bytes are not those that a row knows belongs to its owner, and is never replaced or removed.
 */
export class DerivedFiles {
  readonly folder: DerivedFolder;
  /** Names of the memories. The next commit writes those that change. */
  readonly stems: Stems;
  readonly #database: MirrorDatabase;
  readonly #events: DerivedFileEvents;
  readonly #readOnly: boolean;
  readonly #rows: Map<number, FileRow[]>;
  readonly #changed = new Set<FileRow>();
  readonly #dropped = new Set<FileRow>();
  /** Folders that were checked for links. */
  readonly #folders = new Set<string>();
  #due: DueFile[] = [];
  #textLength = 0;

  private constructor(database: MirrorDatabase, folder: DerivedFolder, events: DerivedFileEvents, readOnly: boolean) {
    this.#database = database;
    this.#readOnly = readOnly;
    this.folder = folder;
    this.#events = events;
    this.#rows = readRows(database, folder.folderKey);
    this.stems = new Stems(database, folder.folderKey);
  }

  /** Reads the rows of a folder, and ends the steps of a run that was killed. */
  static async open(
    database: MirrorDatabase,
    folder: DerivedFolder,
    events: Partial<DerivedFileEvents> = {},
    { readOnly = false }: { readOnly?: boolean } = {},
  ): Promise<DerivedFiles> {
    const nothing = () => undefined;
    const fail = (_file: unknown, error: unknown) => {
      throw error;
    };
    const all = { saved: nothing, kept: nothing, renamed: nothing, failed: fail, ...events };
    const files = new DerivedFiles(database, folder, all, readOnly);
    if (!readOnly) await files.#settle();
    return files;
  }

  /** Whether files wait for the next batch. */
  get hasDue(): boolean {
    return this.#due.length > 0;
  }

  rowsOf(memoryKey: number): readonly FileRow[] {
    return this.#rows.get(memoryKey) ?? [];
  }

  /** Returns the stamps of the files of other memories with our bytes, by their paths. */
  stampsExcept(memoryKeys: ReadonlySet<number>): Map<string, string> {
    const rows = [...this.#rows].flatMap(([memoryKey, rows]) => (memoryKeys.has(memoryKey) ? [] : rows));
    return new Map(rows.filter(({ isEdited }) => !isEdited).map(({ path, stamp }) => [path, stamp]));
  }

  /** Returns whether a file has to be written, by its stamp and what it depends on. It opens no file. */
  isDue({ memoryKey, part, stem, suffix, depends }: Omit<DerivedFile, 'content'>): boolean {
    const rows = this.rowsOf(memoryKey).filter((row) => row.part === part && row.suffix === suffix);
    const main = rows.find(({ number }) => number === 0);
    const last = main?.isEdited === false ? main : rows.at(-1);
    if (last === undefined || last.depends !== depends || this.#stampOf(last.path) !== last.stamp) return true;
    return last.number > 0 && this.#stampOf(main?.path ?? `${stem}${suffix}`) === undefined;
  }

  /** Writes a file if it is due, at the latest with the next `flush`. Returns whether it is written, or would be. */
  async put(file: DerivedFile): Promise<boolean> {
    if (!this.isDue(file)) return false;
    try {
      const due = await this.#plan(file);
      if (due === undefined || this.#readOnly) return due !== undefined;
      this.#due.push(due);
      this.#textLength += 'text' in due.content ? due.content.text.length : 0;
    } catch (error) {
      this.#events.failed(file, error);
      return false;
    }
    if (this.#due.length >= FILES_AT_ONCE || this.#textLength > TEXT_AT_ONCE) await this.flush();
    return true;
  }

  /** Adds a file that is there with our bytes. Another mirror wrote it, or one whose folder lost its mark. */
  async takeOver(file: DerivedFile): Promise<void> {
    if (this.rowsOf(file.memoryKey).some(({ part }) => part === file.part)) return;
    const row = this.#newRow(file, 0);
    const found = this.#stampOf(row.path) && (await digestFile(this.#absolute(row.path)));
    const content = found && (await file.content());
    if (!found || !content || found.sha256 !== hashOf(content)) return;
    const { version, depends } = file;
    this.#note(Object.assign(row, { version, depends, written: found.sha256, stamp: found.stamp }));
  }

  /** Selects the file that gets the content. Returns undefined if nothing is to write. */
  async #plan(file: DerivedFile): Promise<DueFile | undefined> {
    const { memoryKey, part, suffix, version, depends } = file;
    if (!this.#readOnly) makeFolders(this.folder, dirname(`${file.stem}${suffix}`), this.#folders);
    const rows = this.rowsOf(memoryKey).filter((row) => row.part === part);
    // A recording of another type replaces the former one.
    await this.#replace(rows.filter((row) => row.suffix !== suffix));
    const own = rows.filter((row) => row.suffix === suffix);
    const main = own.find(({ number }) => number === 0) ?? this.#newRow(file, 0);
    const update = own.findLast(({ number }) => number > 0);
    const last = update ?? main;
    const found = await this.#look(main);
    if (found !== 'edited') {
      await this.#replace(own.filter(({ number }) => number > 0));
      return this.#dueFor(file, main, found);
    }
    const foundUpdate = update && (await this.#look(update));
    if (update && foundUpdate === 'own') return this.#dueFor(file, update, foundUpdate);
    if (last.fileKey > 0 && last.version === version) {
      this.#note(Object.assign(last, { depends }));
      return undefined;
    }
    if (update && foundUpdate === 'absent') return this.#dueFor(file, update, foundUpdate);
    const content = await file.content();
    if (content === undefined) return undefined;
    const hash = hashOf(content);
    const there = await digestFile(this.#absolute(last.path));
    if (there?.sha256 === hash) {
      // A copy of the folder, or one that lost its mark, has our bytes.
      this.#note(Object.assign(last, { version, depends, written: hash, stamp: there.stamp, isEdited: false }));
      return undefined;
    }
    if (file.hasUpdates === false) {
      this.#note(Object.assign(last, { version, depends, stamp: this.#stampOf(last.path) ?? '', isEdited: true }));
      return undefined;
    }
    let next = this.#newRow(file, (update?.number ?? 0) + 1);
    while (this.#stampOf(next.path) !== undefined) next = this.#newRow(file, next.number + 1);
    this.#events.kept(file, {
      path: last.path,
      reason: last.fileKey > 0 ? 'edited' : 'foreign',
      writtenTo: next.path,
    });
    return { file, row: next, content, hash, replaces: undefined };
  }

  /** Removes files that another one replaces, but not those that their owner edited. */
  async #replace(rows: readonly FileRow[]): Promise<void> {
    if (this.#readOnly) return;
    const { left } = await this.remove(rows);
    for (const row of rows) if (!left.includes(row.path)) this.#drop(row);
  }

  #newRow({ memoryKey, part, stem, suffix }: DerivedFile, number: number): FileRow {
    const path = pathOf({ stem, suffix, number });
    const at = { fileKey: 0, folderKey: this.folder.folderKey, memoryKey, part, number, suffix, path };
    const state = { written: null, intended: null, intendedPath: null, stamp: '', isEdited: false };
    return { ...at, version: '', depends: '', ...state };
  }

  async #dueFor(file: DerivedFile, row: FileRow, found: 'absent' | 'own'): Promise<DueFile | undefined> {
    const { version, depends } = file;
    const replaces = found === 'own' ? row.stamp : undefined;
    if (replaces !== undefined && row.depends === depends) return undefined;
    const content = await file.content();
    if (content === undefined) return undefined;
    const hash = hashOf(content);
    if (replaces !== undefined && row.written === hash && !isUnwantedLink(content, replaces)) {
      this.#note(Object.assign(row, { version, depends }));
      return undefined;
    }
    return { file, row, content, hash, replaces };
  }

  /** Compares the bytes of a file with those that were written, unless its stamp says that they were compared. */
  async #look(row: FileRow): Promise<'absent' | 'own' | 'edited'> {
    const stamp = this.#stampOf(row.path);
    if (stamp === undefined) return 'absent';
    if (row.fileKey === 0 && !this.#changed.has(row)) return 'edited';
    if (stamp !== row.stamp) {
      const found = await digestFile(this.#absolute(row.path));
      const isEdited = found === undefined || ![ANY_BYTES, found.sha256].includes(row.written ?? '');
      const written = isEdited ? row.written : found.sha256;
      this.#note(Object.assign(row, { stamp: found?.stamp ?? stamp, isEdited, written }));
    }
    return row.isEdited ? 'edited' : 'own';
  }

  /** Writes the files that are due. Their intents are committed before, and the results afterwards. */
  async flush(): Promise<void> {
    const due = this.#due;
    this.#due = [];
    this.#textLength = 0;
    for (const { row, hash } of due) this.#note(Object.assign(row, { intended: hash }));
    this.#commit();
    const again: DerivedFile[] = [];
    try {
      for (let start = 0; start < due.length; start += OPEN_FILES) {
        await this.#writeSome(due.slice(start, start + OPEN_FILES), again);
      }
    } finally {
      this.#commit();
    }
    for (const file of again) await this.put(file);
    if (again.length > 0) await this.flush();
  }

  async #writeSome(due: readonly DueFile[], again: DerivedFile[]): Promise<void> {
    const prepared = await Promise.all(
      due.map(async ({ row, content }) => {
        await yieldToEventLoop();
        const folder = dirname(row.path);
        const temporary = temporaryPath(this.#absolute(folder));
        try {
          makeFolders(this.folder, folder, this.#folders);
          return { temporary, written: await writeTemporary(content, temporary, this.folder) };
        } catch (error) {
          return { temporary, error };
        }
      }),
    );
    const placed = new Set<string>();
    try {
      for (const [index, { file, row, replaces, hash }] of due.entries()) {
        const { temporary = '', written, error } = prepared[index] ?? {};
        try {
          if (written === undefined) throw error;
          const target = { path: this.#absolute(row.path), isNew: replaces === undefined };
          if (this.#stampOf(row.path) === replaces && placeFile(temporary, target)) {
            placed.add(temporary);
            const stamp = this.#stampOf(row.path) ?? '';
            const { version, depends } = file;
            this.#note(Object.assign(row, { version, depends, written: hash, intended: null, stamp, isEdited: false }));
            this.#events.saved(file, { ...written, path: row.path });
          } else {
            // Another program wrote the file meanwhile.
            this.#withdraw(row);
            again.push(file);
          }
        } catch (failure) {
          this.#withdraw(row);
          this.#events.failed(file, failure);
        }
      }
    } finally {
      for (const { temporary } of prepared) if (!placed.has(temporary)) rmSync(temporary, { force: true });
    }
  }

  /** Takes back the intent of a write that did not happen. */
  #withdraw(row: FileRow): void {
    this.#note(Object.assign(row, { intended: null }));
    if (row.written === null) this.#drop(row);
  }

  /**
   * Moves the files of memories to other names, also those that their owner edited. If a file is in the way, the row
   * keeps its path.
   */
  async rename(names: ReadonlyMap<number, FileNames>): Promise<void> {
    for (const { row, to, suffix } of this.#wantedMoves(names)) {
      // A file that was removed gets its new name when it is written again.
      if (!existsSync(this.#absolute(row.path))) this.#note(Object.assign(row, { path: to, suffix }));
    }
    let moves = this.movesOf(names);
    for (let count = 0; count !== moves.length; ) {
      count = moves.length;
      const blocked: Move[] = [];
      for (let start = 0; start < moves.length; start += FILES_AT_ONCE) {
        blocked.push(...(await this.#move(moves.slice(start, start + FILES_AT_ONCE))));
      }
      // A file that moves away can give its name to another one.
      moves = blocked;
    }
  }

  /** Returns the moves of files to their names, except those for which another file is in the way. */
  movesOf(names: ReadonlyMap<number, FileNames>): Move[] {
    const moves = this.#wantedMoves(names).filter(({ from }) => existsSync(this.#absolute(from)));
    const leaving = new Set(moves.map(({ from }) => from));
    return moves.filter(({ from, to }) => leaving.has(to) || canMove(this.#absolute(from), this.#absolute(to)));
  }

  #wantedMoves(names: ReadonlyMap<number, FileNames>): Move[] {
    return [...names].flatMap(([memoryKey, { stem, suffixes }]) =>
      this.rowsOf(memoryKey).flatMap((row) => {
        const wanted = suffixes[row.part] ?? row.suffix;
        // A recording of another type is another file.
        const isSameType = extname(`x${wanted}`) === extname(`x${row.suffix}`);
        const suffix = isSameType ? wanted : row.suffix;
        const to = pathOf({ ...row, stem, suffix });
        return to === row.path ? [] : [{ row, from: row.path, to, suffix }];
      }),
    );
  }

  /** Moves files. Returns the moves for which a file was in the way. */
  async #move(moves: readonly Move[]): Promise<Move[]> {
    for (const { row, to } of moves) this.#note(Object.assign(row, { intendedPath: to }));
    this.#commit();
    const blocked: Move[] = [];
    for (const move of moves) {
      const { row, from, to, suffix } = move;
      await yieldToEventLoop();
      this.#note(Object.assign(row, { intendedPath: null }));
      try {
        // A link in place of a folder would take files that are not ours.
        makeFolders(this.folder, dirname(from), this.#folders);
        makeFolders(this.folder, dirname(to), this.#folders);
        if (!moveFile(this.#absolute(from), this.#absolute(to))) {
          blocked.push(move);
          continue;
        }
        Object.assign(row, { path: to, suffix });
        this.#events.renamed(row, from);
      } catch (error) {
        this.#events.failed(row, error);
      }
    }
    this.#commit();
    this.#removeEmptyFolders(moves.flatMap(({ from, to }) => [from, to]));
    return blocked;
  }

  /** Removes the files of rows if they have our bytes. Returns the paths of the others, also of those behind a link. */
  async remove(rows: readonly FileRow[]): Promise<{ removed: string[]; left: string[] }> {
    const removed: string[] = [];
    const left: string[] = [];
    for (const row of rows) {
      await yieldToEventLoop();
      const found = await this.#look(row);
      const isOwn = found === 'own' && this.#stampOf(row.path) === row.stamp;
      if (isOwn) rmSync(this.#absolute(row.path));
      if (found !== 'absent' || existsSync(this.#absolute(row.path))) (isOwn ? removed : left).push(row.path);
    }
    this.#removeEmptyFolders(removed);
    return { removed, left };
  }

  /** Forgets rows. Their files are no longer ours. */
  drop(rows: readonly FileRow[]): void {
    for (const row of rows) this.#drop(row);
    this.#commit();
  }

  #removeEmptyFolders(paths: readonly string[]): void {
    // The folders of the mirror itself stay.
    if (this.folder.folderKey === MIRROR_FOLDER) return;
    for (const folder of removeEmptyFolders(this.folder.path, paths)) this.#folders.delete(folder);
  }

  /** Believes the intents of a run that was killed as much as its results. */
  async #settle(): Promise<void> {
    const open = [...this.#rows.values()].flat().filter((row) => row.intended !== null || row.intendedPath !== null);
    const cleaned = new Set<string>();
    for (const row of open) {
      await yieldToEventLoop();
      for (const path of [row.path, row.intendedPath ?? row.path]) this.#removeTemporaries(dirname(path), cleaned);
      const to = row.intendedPath ?? row.path;
      if (to !== row.path && this.#stampOf(to) !== undefined) {
        const isMoved = this.#stampOf(row.path) === undefined;
        // A move that was killed between its two steps has left both names.
        if (isMoved || moveFile(this.#absolute(row.path), this.#absolute(to))) row.path = to;
      }
      const found = row.intended === null ? undefined : await digestFile(this.#absolute(row.path));
      if (row.intended !== null && found?.sha256 === row.intended)
        Object.assign(row, { written: row.intended, stamp: '' });
      this.#note(Object.assign(row, { intended: null, intendedPath: null }));
      if (row.written === null) this.#drop(row);
    }
    this.#commit();
  }

  #removeTemporaries(folder: string, cleaned: Set<string>): void {
    if (cleaned.has(folder) || !isRealFolder(this.folder.path, folder, this.#folders)) return;
    cleaned.add(folder);
    for (const name of readdirSync(this.#absolute(folder))) {
      if (isTemporary(name)) rmSync(this.#absolute(join(folder, name)), { force: true });
    }
  }

  /** @throws {@link MirrorError} for a path out of the folder, which only another program can have stored. */
  #absolute(path: string): string {
    if (path === '.' || isInside(path)) return join(this.folder.path, path);
    const reason = `the database names a file outside of ${JSON.stringify(this.folder.path)}`;
    throw new MirrorError('damaged', `Failed to use a file: ${reason}. Restore mirror.sqlite from a backup.`);
  }

  /** Returns the stamp of a file. A file behind a link in place of a folder counts as absent. */
  #stampOf(path: string): string | undefined {
    return isRealFolder(this.folder.path, dirname(path), this.#folders) ? stampOf(this.#absolute(path)) : undefined;
  }

  /** Writes the row with the next commit. */
  #note(row: FileRow): void {
    const isNew = row.fileKey === 0 && !this.#changed.has(row);
    this.#changed.add(row);
    if (!isNew) return;
    const rows = [...this.rowsOf(row.memoryKey), row].sort((one, other) => one.number - other.number);
    this.#rows.set(row.memoryKey, rows);
  }

  #drop(row: FileRow): void {
    this.#changed.delete(row);
    this.#dropped.add(row);
    const rows = this.rowsOf(row.memoryKey);
    this.#rows.set(
      row.memoryKey,
      rows.filter((one) => one !== row),
    );
  }

  #commit(): void {
    if (this.#changed.size + this.#dropped.size === 0 && !this.stems.isChanged) return;
    inTransaction(this.#database, () => {
      this.stems.write();
      writeRows(this.#database, this.#changed, this.#dropped);
    });
    this.#changed.clear();
    this.#dropped.clear();
  }
}

function pathOf({ stem, suffix, number }: { stem: string; suffix: string; number: number }): string {
  return `${stem}${number === 0 ? '' : ` (update ${number})`}${suffix}`;
}
