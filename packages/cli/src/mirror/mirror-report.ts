import type { MirrorWarning, PagesReport, SyncProgress, SyncReport } from '@memory-read/mirror';
import type { CliProcess, CommandContext } from '../terminal/cli-process.ts';
import type { Progress } from '../terminal/create-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { incompleteListWarning } from '../terminal/incomplete-list.ts';
import { quantity } from '../terminal/quantity.ts';

/** A line of JSON during a run. `part` is `memory`, a kind of media, or `page`. */
export interface MirrorEvent {
  event: 'saved' | 'failed' | 'kept' | 'warning' | 'would_save';
  memoryId?: string;
  part?: string;
  [field: string]: unknown;
}

/** A warning: another process reads the mirror, so a copy of its database file lacks the end. */
const logPendingWarning =
  'Another program is reading the mirror, so a copy of mirror.sqlite would lack the end. Make copies with memory-read mirror --backup.';

interface MirrorReportOptions extends CommandContext {
  isDryRun: boolean;
}

/** Follows the steps of a sync: shows its progress, emits its events and counts its memories. */
export class MirrorReport {
  readonly #progress: Progress;
  readonly #emit: (event: MirrorEvent) => void;
  readonly #process: CliProcess;
  readonly #isDryRun: boolean;
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

  constructor(progress: Progress, emit: (event: MirrorEvent) => void, { process, isDryRun }: MirrorReportOptions) {
    this.#progress = progress;
    this.#emit = emit;
    this.#process = process;
    this.#isDryRun = isDryRun;
  }

  /** Whether the list was read. */
  get hasList(): boolean {
    return this.#report !== undefined;
  }

  follow(event: SyncProgress): void {
    if (event.type === 'listed') {
      this.#report = event.report;
      this.#inRange = event.inRange;
    }
    if (event.type === 'planned') this.#plan(event.memoryId, event.kind);
    if (event.type === 'memory' && event.change !== 'failed') {
      const { memoryId, change } = event;
      if (change !== 'unchanged') this.#emit({ event: 'saved', memoryId, part: 'memory', change });
      this.#settle(memoryId);
    }
    if (event.type === 'media') this.#countBytes(`${event.kind} ${event.memoryId}`, event.bytesReceived);
    if (event.type === 'saved') {
      const { memoryId, kind, path, size, resumedFrom } = event;
      this.#countBytes(`${kind} ${memoryId}`, size, resumedFrom);
      this.#emit({ event: 'saved', memoryId, part: kind, path, size });
      this.#settle(memoryId);
    }
    if (event.type === 'failed') {
      const { memoryId, kind, error } = event;
      const part = kind === undefined ? {} : { part: kind };
      this.#emit({
        event: 'failed',
        memoryId,
        ...part,
        error: { code: error.code, message: explainFailure(this.#process, error) },
      });
    }
    // Until everything is planned, all memories would count as done.
    if (event.type !== 'listed' && event.type !== 'planned') this.#show();
  }

  /** Shows what the disk or the runtime cannot do. */
  warn({ code, message }: Pick<MirrorWarning, 'message'> & Partial<MirrorWarning>): void {
    this.#emit({ event: 'warning', ...(code && { code }), message });
  }

  /** Counts what a sync returned, which a dry run without a mirror has instead of steps. */
  end(report: SyncReport): void {
    this.#report = report;
    const emptyListWarning =
      'The server returned an empty list, and this folder has memories. If the next run finds it empty again, they are marked as missing.';
    if (report.unconfirmedEmptyList) this.#emit({ event: 'warning', message: emptyListWarning });
    if (report.incompleteList) this.#emit({ event: 'warning', message: incompleteListWarning });
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
  get counts() {
    const report = this.#report ?? ({} as SyncReport);
    const { failed = [], ...counts } = report;
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

  get #edited(): number {
    return this.#pages?.warnings.length ?? 0;
  }

  /** Whether everything that was planned is saved. */
  get isComplete(): boolean {
    return this.hasList && this.#pending.size === 0 && this.failedMemories === 0;
  }

  get #logPending(): boolean {
    return this.#pages?.logPending ?? this.#report?.logPending ?? false;
  }

  /** Number of memories of the list that the run is about. A first dry run has no steps, and finds only new ones. */
  get #memories(): number {
    return this.#inRange ?? this.#report?.added ?? 0;
  }

  /** Number of these memories that are saved completely. */
  get done(): number {
    return this.#memories - this.#pending.size;
  }

  get failedMemories(): number {
    return new Set(this.#report?.failed.map(({ memoryId }) => memoryId)).size;
  }

  /** Returns such as `12 of 24 memories`. */
  get progress(): string {
    return `${this.done.toLocaleString('en-US')} of ${quantity(this.#memories, 'memory', 'memories')}`;
  }

  /** Returns the last line for people. */
  get text(): string {
    const { added, changed, unchanged, missing, purged, mediaSaved, mediaBytes } = this.#report as SyncReport;
    const number = (count: number) => count.toLocaleString('en-US');
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
      ...(this.failedMemories > 0 ? [`${number(this.failedMemories)} failed`] : []),
    ];
    return `${this.progress} done: ${parts.join(', ')}.`;
  }

  #plan(memoryId: string, kind: string | undefined): void {
    this.#planned += 1;
    this.#pending.set(memoryId, (this.#pending.get(memoryId) ?? 0) + 1);
    if (this.#isDryRun) this.#emit({ event: 'would_save', memoryId, part: kind ?? 'memory' });
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
    const text = `Mirroring ${this.progress}, ${quantity(this.#report?.mediaSaved ?? 0, 'file', 'files')}, ${formatBytes(this.#bytes)}`;
    const share = this.#planned === 0 ? undefined : this.#finished / this.#planned;
    this.#progress.update({ text, count: this.#bytes, share });
  }
}
