import { extname, join, resolve } from 'node:path';
import type { Memory } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import type { MirrorStorage } from '../database/open-database.ts';
import { documentSuffixes, type ExportFormat, exportFormats, toDocument } from '../documents/to-document.ts';
import { explainStorageError } from '../errors/explain-storage-error.ts';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';
import type { DerivedFile, DerivedFileEvents, FileNames } from '../files/derived-file.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import { digestFile } from '../files/digest-file.ts';
import {
  exportFolderOf,
  type FolderRow,
  findExportFolder,
  openExportFolder,
  realPathOf,
} from '../files/export-folder.ts';
import type { MediaContent } from '../files/file-content.ts';
import { statusOfMedia } from '../files/media-file.ts';
import { type ExportPart, readTemplate } from '../files/name-files.ts';
import { fileSuffixes, type Template } from '../files/names.ts';
import {
  listStoredMemories,
  noteDigest,
  type StoredMedia,
  type StoredMemory,
  textReader,
} from '../history/stored-memories.ts';
import { localTimeIn } from '../pages/local-time.ts';
import { removeForgotten } from '../purge/forgotten-files.ts';
import type { ExportFilesReport } from './export-types.ts';
import type { ExportSettings } from './read-export-options.ts';

/** Increase this number when documents look different, so that they are written again. */
const FORMAT = 1;

/** Writes the files of the memories of a range to a folder, and renames those whose memories have another name. */
export async function exportFiles(
  storage: MirrorStorage,
  folder: string,
  settings: ExportSettings,
): Promise<ExportFilesReport> {
  const { database } = storage;
  const { dryRun, signal, emit } = settings;
  signal?.throwIfAborted();
  const path = realPathOf(resolve(folder));
  const target = await openTarget(storage, path, settings);
  const range = settings.rangeIn(target.timeZone);
  const report = emptyReport(path);
  const run = new ExportRun(storage, target, settings, report);
  const memories = listStoredMemories(database).filter(({ startedAt }) => {
    const instant = parseDateTime(startedAt) ?? 0;
    return instant >= range.since && instant < range.until;
  });
  report.memories = memories.length;
  report.missing = memories.filter(({ isMissing }) => isMissing).length;
  emit({ type: 'planned', memories: memories.length });
  const files = await DerivedFiles.open(database, exportFolderOf(target, storage), run.events(memories), {
    readOnly: dryRun,
  });
  for (const path of dryRun ? [] : await removeForgotten(database, target)) {
    report.removed += 1;
    emit({ type: 'removed', path });
  }
  await run.rename(files, memories);
  for (const stored of memories) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    await run.put(files, stored);
  }
  await run.end(files);
  return report;
}

/** Opens the folder. A failure names it, and not the mirror. */
async function openTarget(storage: MirrorStorage, path: string, settings: ExportSettings): Promise<FolderRow> {
  try {
    const found = { ...findExportFolder(storage, path, settings), ...settings.given };
    return settings.dryRun ? found : await openExportFolder(storage, found);
  } catch (error) {
    throw explainStorageError(error, 'use', path);
  }
}

class ExportRun {
  readonly #storage: MirrorStorage;
  readonly #settings: ExportSettings;
  readonly #report: ExportFilesReport;
  readonly #target: FolderRow;
  readonly #template: Template;
  readonly #toLocalTime: ReturnType<typeof localTimeIn>;
  readonly #readText: (stored: StoredMemory) => Memory | undefined;
  /** Memories with a file that was written, renamed or reported. */
  readonly #touched = new Set<string>();
  /** Memories whose files wait for the next batch. */
  #waiting: string[] = [];
  #done = 0;

  constructor(storage: MirrorStorage, target: FolderRow, settings: ExportSettings, report: ExportFilesReport) {
    this.#storage = storage;
    this.#settings = settings;
    this.#report = report;
    this.#target = target;
    this.#template = readTemplate(target.name);
    this.#toLocalTime = localTimeIn(target.timeZone);
    this.#readText = textReader(storage.database);
  }

  events(memories: readonly StoredMemory[]): DerivedFileEvents {
    const ids = new Map(memories.map(({ memoryKey, memoryId }) => [memoryKey, memoryId]));
    const of = ({ memoryKey, part }: Pick<DerivedFile, 'memoryKey' | 'part'>) => {
      const memoryId = ids.get(memoryKey) ?? '';
      this.#touched.add(memoryId);
      return { memoryId, part: part as ExportPart };
    };
    return {
      saved: (file, written) => {
        this.#report.saved += 1;
        this.#report.bytes += written.size;
        this.#report.linked += Number(written.linked);
        this.#settings.emit({ type: 'saved', ...of(file), ...written });
      },
      kept: (file, paths) => {
        const kept = { ...of(file), ...paths };
        this.#report.kept.push(kept);
        this.#settings.emit({ type: 'kept', ...kept });
      },
      renamed: (row, from) => {
        this.#report.renamed += 1;
        this.#settings.emit({ type: 'renamed', ...of(row), from, path: row.path });
      },
      failed: (file, error) => this.#fail(of(file), error),
    };
  }

  /** Gives each memory its names, and moves the files of those that have others now. */
  async rename(files: DerivedFiles, memories: readonly StoredMemory[]): Promise<void> {
    const { dryRun, emit, signal } = this.#settings;
    const ids = new Map<number, string>();
    const names = new Map<number, FileNames>();
    for (const stored of memories) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      const stem = this.#giveStem(files, stored);
      if (stem === undefined) continue;
      ids.set(stored.memoryKey, stored.memoryId);
      names.set(stored.memoryKey, { stem, suffixes: suffixesOf(stored) });
    }
    if (!dryRun) return files.rename(names);
    for (const { row, from, to } of files.movesOf(names)) {
      const memoryId = ids.get(row.memoryKey) ?? '';
      this.#touched.add(memoryId);
      this.#report.renamed += 1;
      emit({ type: 'renamed', memoryId, part: row.part as ExportPart, from, path: to });
    }
  }

  #giveStem({ stems }: DerivedFiles, stored: StoredMemory): string | undefined {
    const { name, timeZone } = this.#target;
    const basis = JSON.stringify([stored.version, name, timeZone]);
    const known = stems.find(stored.memoryKey, basis);
    if (known !== undefined) return known;
    try {
      const memory = this.#readText(stored);
      if (memory === undefined) return undefined;
      const local = this.#toLocalTime(parseDateTime(memory.started_at) ?? 0);
      return stems.give(stored.memoryKey, { basis, template: this.#template }, memory, local);
    } catch (error) {
      this.#touched.add(stored.memoryId);
      this.#fail({ memoryId: stored.memoryId, part: null }, error);
      return undefined;
    }
  }

  /** Writes the files of a memory that are due. */
  async put(files: DerivedFiles, stored: StoredMemory): Promise<void> {
    const { adopt, dryRun, emit } = this.#settings;
    const { memoryId } = stored;
    const stem = files.stems.find(stored.memoryKey);
    for (const file of stem === undefined || !adopt || dryRun ? [] : this.#filesOf(stored, stem, allFiles)) {
      await files.takeOver(file);
    }
    for (const file of stem === undefined ? [] : this.#filesOf(stored, stem)) {
      if ((await files.put(file)) && dryRun) {
        this.#touched.add(memoryId);
        this.#report.saved += 1;
        const kept = this.#report.kept.findLast((each) => each.memoryId === memoryId && each.part === file.part);
        const path = kept?.writtenTo ?? `${stem}${file.suffix}`;
        emit({ type: 'saved', memoryId, part: file.part as ExportPart, path });
      }
    }
    this.#waiting.push(memoryId);
    if (!files.hasDue) this.#tellFinished();
  }

  async end(files: DerivedFiles): Promise<void> {
    if (!this.#settings.dryRun) await files.flush();
    this.#tellFinished();
    this.#report.unchanged = this.#report.memories - this.#touched.size;
  }

  #tellFinished(): void {
    const { memories } = this.#report;
    for (const memoryId of this.#waiting) {
      this.#done += 1;
      this.#settings.emit({ type: 'memory', memoryId, done: this.#done, memories });
    }
    this.#waiting = [];
  }

  /** Returns the files that a memory has. Those that it lacks are counted. */
  *#filesOf(
    stored: StoredMemory,
    stem: string,
    wanted: Pick<ExportSettings, 'formats' | 'kinds'> = this.#settings,
  ): Generator<DerivedFile> {
    const { formats, kinds } = wanted;
    const { copy } = this.#settings;
    const countLacking = (files: number) => {
      if (wanted === this.#settings) this.#report.lacking += files;
    };
    const { memoryKey, memoryId, media } = stored;
    const version = String(stored.version);
    const isPossible = (format: ExportFormat) => stored.hasTranscript || !needsTranscript(format);
    countLacking(formats.filter((format) => !isPossible(format)).length);
    let memory: Memory | undefined;
    for (const format of formats.filter(isPossible)) {
      const content = () => {
        memory ??= this.#readText(stored);
        const text = memory && toDocument(memory, format);
        return text === undefined ? undefined : { text };
      };
      const file = { memoryKey, memoryId, part: format, stem, suffix: documentSuffixes[format] };
      yield { ...file, version, depends: JSON.stringify([FORMAT, version]), content };
    }
    const suffixes = suffixesOf(stored);
    for (const kind of kinds) {
      const [file, suffix] = [media[kind], suffixes[kind]];
      const { folder } = this.#storage;
      if (file === undefined || suffix === undefined || statusOfMedia(folder, file.path) === undefined) {
        countLacking(Number(stored.kinds.includes(kind)));
        continue;
      }
      const source = join(folder, file.path);
      const content = () => this.#mediaContent({ memoryKey, file, source });
      const depends = JSON.stringify([FORMAT, file.path, file.sha256, copy]);
      yield { memoryKey, memoryId, part: kind, stem, suffix, version: file.path, depends, content };
    }
  }

  /** A recording that an earlier version saved has no digest yet. A damaged one is not exported. */
  async #mediaContent(recording: {
    memoryKey: number;
    file: StoredMedia;
    source: string;
  }): Promise<MediaContent | undefined> {
    const { file, source } = recording;
    const { copy, signal } = this.#settings;
    const sha256 = (await digestFile(source, signal))?.sha256;
    if (sha256 === undefined) return undefined;
    if (file.sha256 === null && !this.#settings.dryRun) noteDigest(this.#storage.database, file.path, sha256);
    if (file.sha256 === null || file.sha256 === sha256) return { source, sha256, copy, signal };
    const message = `Failed to export ${JSON.stringify(file.path)}: it is damaged. Run memory-read mirror --repair.`;
    throw new MirrorError('damaged', message);
  }

  #fail(at: { memoryId: string; part: ExportPart | null }, failure: unknown): void {
    this.#settings.signal?.throwIfAborted();
    const error = explainStorageError(failure, 'export to', this.#target.path);
    if (!isMirrorError(error) || error.code === 'disk_full') throw error;
    // A file that could not be moved cannot be written either.
    if (this.#report.failed.some(({ memoryId, part }) => memoryId === at.memoryId && part === at.part)) return;
    this.#report.failed.push({ ...at, error });
    this.#settings.emit({ type: 'failed', ...at, error });
  }
}

function suffixesOf({ media }: StoredMemory): ReturnType<typeof fileSuffixes> {
  return fileSuffixes(Object.fromEntries(Object.entries(media).map(([kind, { path }]) => [kind, extname(path)])));
}

/** What another run may have written. */
const allFiles = { formats: exportFormats, kinds: mediaKinds };

function needsTranscript(format: ExportFormat): boolean {
  return format === 'srt' || format === 'vtt' || format === 'text';
}

function emptyReport(folder: string): ExportFilesReport {
  const counts = { saved: 0, bytes: 0, linked: 0, renamed: 0, removed: 0, lacking: 0 };
  const found = { kept: [], failed: [], logPending: false };
  return { folder, memories: 0, unchanged: 0, missing: 0, ...counts, ...found };
}
