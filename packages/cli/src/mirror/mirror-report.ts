import type {
  ExportFilesReport,
  ExportFormat,
  ExportProgress,
  MirrorWarning,
  PagesReport,
  SyncProgress,
  SyncReport,
} from '@memory-read/mirror';
import type { CliProcess, CommandContext } from '../terminal/cli-process.ts';
import type { Progress } from '../terminal/create-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { quantity } from '../terminal/quantity.ts';

/** A line of JSON during a run. `part` is `memory`, a kind of media, a format, or `page`. */
export interface MirrorEvent {
  event: 'saved' | 'renamed' | 'removed' | 'failed' | 'kept' | 'warning' | 'doubtful' | 'would_save' | 'would_rename';
  memoryId?: string;
  part?: string | null;
  [field: string]: unknown;
}

/** A warning: another process reads the mirror, so a copy of its database file lacks the end. */
const logPendingWarning =
  'Another program is reading the mirror, so a copy of mirror.sqlite would lack the end. Make copies with memory-read mirror --backup.';

interface MirrorReportOptions extends CommandContext {
  isDryRun: boolean;
  /** Formats of the files that are exported after the sync, of which only failures are emitted then. */
  formats?: readonly ExportFormat[] | undefined;
}

/** What an export wrote, and what its last line also has. */
export interface ExportResult {
  report: ExportFilesReport;
  /** Template of the folder. */
  name: string | undefined;
  /** Folder of the mirror. */
  mirror: string;
}

const number = (count: number) => count.toLocaleString('en-US');

/** Follows the steps of a sync and of an export: shows their progress, emits their events and counts. */
export class MirrorReport {
  readonly #progress: Progress;
  readonly #emit: (event: MirrorEvent) => void;
  readonly #process: CliProcess;
  readonly #isDryRun: boolean;
  readonly #formats: readonly ExportFormat[] | undefined;
  /** Number of parts of each memory that are planned and not saved. */
  readonly #pending = new Map<string, number>();
  readonly #starts = new Map<string, number>();
  readonly #counted = new Map<string, number>();
  #report: Readonly<SyncReport> | undefined;
  #inRange: number | undefined;
  #pages: PagesReport | undefined;
  #planned = 0;
  #finished = 0;
  #bytes = 0;
  #exported: { memories: number; done: number; files: number; bytes: number } | undefined;
  #result: ExportResult | undefined;
  /** Files that a dry run of an export has named. */
  readonly #named = new Set<string>();
  /** Files that would be renamed. */
  #renames = 0;
  /** Memories that the sync would read. They can have other names then. */
  readonly #unread = new Set<string>();
  /** Files of memories that the sync would read. */
  readonly #unnamed: { memoryId: string; part: string }[] = [];

  constructor(
    progress: Progress,
    emit: (event: MirrorEvent) => void,
    { process, isDryRun, formats }: MirrorReportOptions,
  ) {
    this.#progress = progress;
    this.#emit = emit;
    this.#process = process;
    this.#isDryRun = isDryRun;
    this.#formats = formats;
  }

  /** Whether there is something to count: the list was read, or files were exported. */
  get hasCounts(): boolean {
    return (this.#formats === undefined ? this.#report : this.#result) !== undefined;
  }

  follow(event: SyncProgress): void {
    if (event.type === 'listed') {
      this.#report = event.report;
      this.#inRange = event.inRange;
    }
    if (event.type === 'planned') this.#plan(event.memoryId, event.kind);
    if (event.type === 'memory' && event.change !== 'failed') {
      const { memoryId, change } = event;
      if (change !== 'unchanged') this.#emitSaved({ memoryId, part: 'memory', change });
      this.#settle(memoryId);
    }
    if (event.type === 'media') this.#countBytes(`${event.kind} ${event.memoryId}`, event.bytesReceived);
    if (event.type === 'saved') {
      const { memoryId, kind, path, size, resumedFrom } = event;
      this.#countBytes(`${kind} ${memoryId}`, size, resumedFrom);
      this.#emitSaved({ memoryId, part: kind, path, size });
      this.#settle(memoryId);
    }
    if (event.type === 'failed') this.#fail(event.memoryId, event.kind, event.error);
    if (event.type === 'doubt') {
      const { memoryId, label, person } = event;
      this.#emit({ event: 'doubtful', memoryId, speaker: label, person });
    }
    // Until everything is planned, all memories would count as done.
    if (event.type !== 'listed' && event.type !== 'planned') this.#show();
  }

  /** Shows what the disk or the runtime cannot do. */
  warn({ code, message }: Pick<MirrorWarning, 'message'> & Partial<MirrorWarning>): void {
    this.#emit({ event: 'warning', ...(code && { code }), message });
  }

  followExport({ type, ...event }: ExportProgress): void {
    this.#exported ??= { memories: 0, done: 0, files: 0, bytes: 0 };
    const exported = this.#exported;
    if ('memories' in event) exported.memories = event.memories;
    if ('done' in event) exported.done = event.done;
    if ('error' in event) this.#fail(event.memoryId, event.part, event.error);
    else if (type === 'saved' && this.#isDryRun) this.#wouldSave(event as { memoryId: string; part: string });
    else if (type === 'renamed' && this.#isDryRun) {
      this.#renames += 1;
      this.#emit({ event: 'would_rename', ...event });
    } else if (type !== 'planned' && type !== 'memory' && type !== 'failed' && !this.#isDryRun) {
      if ('size' in event) {
        exported.files += 1;
        exported.bytes += event.size;
      }
      this.#emit({ event: type, ...event });
    }
    this.#show();
  }

  /** Counts what an export returned. */
  endExport(result: ExportResult): void {
    this.#result = result;
    for (const file of this.#unnamed) this.#wouldSave(file);
  }

  /** Counts what a sync returned. */
  end(report: SyncReport): void {
    this.#report = report;
    const emptyListWarning =
      'The server returned an empty list, and this folder has memories. If the next run finds it empty again, they are marked as missing.';
    if (report.unconfirmedEmptyList) this.#emit({ event: 'warning', message: emptyListWarning });
    if (report.incompleteList) this.#emit({ event: 'warning', message: incompleteListWarning });
    for (const path of report.leftFiles ?? []) {
      this.#emit({
        event: 'warning',
        message: `Kept ${path}, which you edited or moved, although its memory was purged.`,
      });
    }
  }

  /** Counts the pages. A page that its owner edited is kept, which is not a failure. */
  endPages(pages: PagesReport): void {
    this.#pages = pages;
    for (const memoryId of pages.damaged ?? []) {
      const message = `The text of ${memoryId} is damaged. Run memory-read mirror --repair.`;
      this.#emit({ event: 'warning', memoryId, message });
    }
    for (const { memoryId, path, reason, writtenTo } of pages.warnings) {
      this.#emit({ event: 'kept', memoryId, part: 'page', path, reason, writtenTo });
    }
  }

  /** Warns if the database file alone is not complete. Call it after the last write. */
  warnOfLog(): void {
    if (this.#logPending) this.#emit({ event: 'warning', message: logPendingWarning });
  }

  /** Returns the last line of JSON without its event. */
  get counts(): Readonly<Record<string, unknown>> {
    const report = this.#report ?? ({} as SyncReport);
    // `processing` is for the polling interval of `watch`.
    const { failed = [], processing: _processing, ...counts } = report;
    if (this.#result !== undefined) return this.#countsOf(this.#result);
    const planned = this.#isDryRun ? { dryRun: true, planned: this.#planned } : { complete: this.isComplete };
    return {
      ...planned,
      memories: this.#memories,
      ...(!this.#isDryRun && { done: this.done, edited: this.#edited }),
      ...(!this.#isDryRun && { saved: report.mediaSaved + (this.#pages?.written ?? 0), bytes: report.mediaBytes }),
      ...counts,
      failed: failed.length,
      logPending: this.#logPending,
    };
  }

  #countsOf({ report: { folder, kept, failed: _failed, ...counts }, name, mirror }: ExportResult) {
    const memories = this.#inRange ?? counts.memories;
    if (this.#isDryRun) return { dryRun: true, memories, planned: this.#named.size };
    const { failed } = this;
    const requests = this.#report?.requests ?? 0;
    return { complete: failed === 0, ...counts, edited: kept.length, failed, requests, name, mirror };
  }

  get #edited(): number {
    return this.#pages?.warnings.length ?? 0;
  }

  /** Whether everything that was planned is saved. */
  get isComplete(): boolean {
    return this.#report !== undefined && this.#pending.size === 0 && this.failed === 0;
  }

  get #logPending(): boolean {
    return (this.#result?.report ?? this.#pages ?? this.#report)?.logPending ?? false;
  }

  /** Number of memories of the list that the run is about. A first dry run has no steps, and finds only new ones. */
  get #memories(): number {
    return this.#inRange ?? this.#report?.added ?? 0;
  }

  /** Number of these memories that are saved completely. */
  get done(): number {
    return this.#memories - this.#pending.size;
  }

  /** Number of memories that could not be read; of an export, number of its files and of these memories and media. */
  get failed(): number {
    const ofSync = this.#report?.failed ?? [];
    if (this.#result !== undefined) return ofSync.length + this.#result.report.failed.length;
    return new Set(ofSync.map(({ memoryId }) => memoryId)).size;
  }

  /** Returns such as `12 of 24 memories`. */
  get progress(): string {
    return `${this.done.toLocaleString('en-US')} of ${quantity(this.#memories, 'memory', 'memories')}`;
  }

  /** Returns the last line for people. */
  get text(): string {
    if (this.#result !== undefined) return this.#textOf(this.#result);
    const { added, changed, unchanged, missing, purged, doubtfulNames, mediaSaved, mediaBytes } = this
      .#report as SyncReport;
    if (this.#isDryRun) {
      const counts = `${number(added)} new, ${number(changed)} changed, ${number(unchanged)} unchanged`;
      return `${quantity(this.#memories, 'memory', 'memories')}: ${counts}. A run without --dry-run saves ${quantity(this.#planned, 'part', 'parts')}.`;
    }
    const edited = this.#edited;
    const parts = [
      `${quantity(mediaSaved + (this.#pages?.written ?? 0), 'file', 'files')} saved (${formatBytes(mediaBytes)} of media)`,
      `${number(unchanged)} unchanged`,
      ...(edited > 0
        ? [`${quantity(edited, 'page', 'pages')} kept as you edited ${edited === 1 ? 'it' : 'them'}`]
        : []),
      ...(missing > 0 ? [`${quantity(missing, 'memory', 'memories')} no longer on the server`] : []),
      ...(purged > 0 ? [`${quantity(purged, 'memory', 'memories')} purged`] : []),
      ...(doubtfulNames > 0 ? [`${quantity(doubtfulNames, 'name', 'names')} doubtful`] : []),
      ...(this.failed > 0 ? [`${number(this.failed)} failed`] : []),
    ];
    return `${this.progress} done: ${parts.join(', ')}.`;
  }

  #textOf({ report: { saved, bytes, linked, renamed, removed, kept } }: ExportResult): string {
    if (this.#isDryRun) {
      const memories = quantity(Number(this.counts.memories), 'memory', 'memories');
      const renames = this.#renames > 0 ? `, and renames ${quantity(this.#renames, 'file', 'files')}` : '';
      return `${memories}. A run without --dry-run saves ${quantity(this.#named.size, 'file', 'files')}${renames}.`;
    }
    const free = linked > 0 ? `; ${number(linked)} ${linked === 1 ? 'takes' : 'take'} no space` : '';
    const others = { renamed, removed, kept: kept.length, failed: this.failed };
    const parts = Object.entries(others).flatMap(([what, count]) => (count > 0 ? [`, ${number(count)} ${what}`] : []));
    return `${quantity(saved, 'file', 'files')} saved (${formatBytes(bytes)}${free})${parts.join('')}.`;
  }

  #emitSaved(event: Omit<MirrorEvent, 'event'>): void {
    if (this.#formats === undefined) this.#emit({ event: 'saved', ...event });
  }

  #fail(memoryId: string, part: string | null | undefined, error: Error & { code: string }): void {
    const { code } = error;
    const given = part === undefined ? {} : { part };
    this.#emit({ event: 'failed', memoryId, ...given, error: { code, message: explainFailure(this.#process, error) } });
  }

  #wouldSave({ path, ...file }: { memoryId: string; part: string; path?: string }): void {
    const key = `${file.part} ${file.memoryId}`;
    if (this.#named.has(key)) return;
    this.#named.add(key);
    this.#emit({ event: 'would_save', ...file, ...(!this.#unread.has(file.memoryId) && { path }) });
  }

  #plan(memoryId: string, kind: string | undefined): void {
    this.#planned += 1;
    this.#pending.set(memoryId, (this.#pending.get(memoryId) ?? 0) + 1);
    if (!this.#isDryRun) return;
    if (kind === undefined) this.#unread.add(memoryId);
    if (this.#formats === undefined) this.#emit({ event: 'would_save', memoryId, part: kind ?? 'memory' });
    else for (const part of kind === undefined ? this.#formats : [kind]) this.#unnamed.push({ memoryId, part });
  }

  #settle(memoryId: string): void {
    this.#finished += 1;
    const left = (this.#pending.get(memoryId) ?? 1) - 1;
    if (left === 0) this.#pending.delete(memoryId);
    else this.#pending.set(memoryId, left);
  }

  /** Until a file is saved, it is unknown how much of its first event an earlier run downloaded. That is not counted. */
  #countBytes(file: string, position: number, start = this.#starts.get(file) ?? position): void {
    this.#bytes += position - start - (this.#counted.get(file) ?? 0);
    this.#counted.set(file, position - start);
    this.#starts.set(file, start);
  }

  #show(): void {
    if (this.#isDryRun) return;
    if (this.#exported !== undefined) {
      const { memories, done, files, bytes } = this.#exported;
      const text = `Exporting ${number(done)} of ${quantity(memories, 'memory', 'memories')}, ${quantity(files, 'file', 'files')}, ${formatBytes(bytes)}`;
      this.#progress.update({ text, count: bytes, share: memories === 0 ? undefined : done / memories });
      return;
    }
    const text = `Mirroring ${this.progress}, ${quantity(this.#report?.mediaSaved ?? 0, 'file', 'files')}, ${formatBytes(this.#bytes)}`;
    const share = this.#planned === 0 ? undefined : this.#finished / this.#planned;
    this.#progress.update({ text, count: this.#bytes, share });
  }
}

/** A memory that was left out has no readable id. The other reason, a copied list, does not occur here. */
const incompleteListWarning =
  'The list does not show which memories were left out, as one has no readable id. No memory is marked as missing or purged.';
