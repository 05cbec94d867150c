import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MediaKind, Memory } from '@memory-read/client';
import { toVtt } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { assertPathType } from '../files/assert-path-type.ts';
import { hashOf, hashOfFile, writeChangedFile, writePrivateFile } from '../files/write-private-file.ts';
import { listStoredMemories, type StoredMemory, textReader } from '../history/stored-memories.ts';
import { ifWhole } from '../history/stored-version.ts';
import { type LocalTime, localTimeIn } from './local-time.ts';
import { pageStem, stemKey } from './page-stem.ts';
import { toMarkdownPage } from './to-markdown-page.ts';
import { writeIndex } from './write-index.ts';

/** A page that its owner has edited. A new version was written beside it. */
export interface PageWarning {
  memoryId: string;
  /** Path of the edited page, relative to the folder of the mirror. */
  path: string;
  reason: 'edited';
  /** Path of the new page, relative to the folder of the mirror. */
  writtenTo: string;
}

/** Result of `writePages`. */
export interface PagesReport {
  /** Pages that were written. */
  written: number;
  /** Pages that did not change. */
  unchanged: number;
  /** Edited pages: one warning for each new version. */
  warnings: PageWarning[];
  /** Whether a reader kept the end of the run in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

type Counts = Omit<PagesReport, 'logPending'>;

/** Row of a page in the database. */
interface PageRow {
  stem: string;
  /** 0 for the page itself, otherwise the number of the file beside it that new versions replace. */
  updateNumber: number;
  /** Version of the memory, and whether it is missing. If neither has changed, an edited page needs no new file. */
  state: string;
  /** Everything that the content of the page depends on. */
  fingerprint: string;
  writtenHash: string;
  pendingHash: string | null;
}

interface DuePage extends PageRow {
  stored: StoredMemory;
  path: string;
  content: string;
  isWritten: boolean;
}

/** Increase this number when pages look different, so that they are written again. */
const FORMAT = 2;
const PAGES_AT_ONCE = 200;

/** Writes the page of each memory of the range, its captions, and `index.html` for all memories. */
export async function writePages(
  storage: MirrorStorage,
  {
    timeZone,
    isInRange,
    signal,
  }: { timeZone: string; isInRange: (instant: number) => boolean; signal?: AbortSignal | undefined },
): Promise<Counts> {
  const { database, folder } = storage;
  const toLocalTime = localTimeIn(timeZone);
  const report: Counts = { written: 0, unchanged: 0, warnings: [] };
  const rows = pageRows(database);
  const stems = new Set([...rows.values()].map(({ stem }) => stemKey(stem)));
  const readText = textReader(database);
  const all = listStoredMemories(database);
  let due: DuePage[] = [];
  for (const stored of all) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const instant = parseDateTime(stored.startedAt) ?? 0;
    if (!isInRange(instant)) continue;
    const row = rows.get(stored.memoryKey);
    const fingerprint = fingerprintOf(stored, timeZone);
    if (row?.fingerprint === fingerprint && row.pendingHash === null && existsSync(join(folder, pathOf(row.stem, 0)))) {
      report.unchanged += 1;
      continue;
    }
    const memory = ifWhole(() => readText(stored));
    if (memory === undefined) continue;
    const captions = writeCaptions(folder, stored, memory);
    const stem = row?.stem ?? newStem(memory, toLocalTime(instant), stems);
    const content = toMarkdownPage(
      { memory, isMissing: stored.isMissing, media: linksOf(stored), captions: captions && `../${captions}` },
      toLocalTime,
    );
    due.push(placePage({ folder, stored, row, stem, fingerprint, content }, report));
    if (due.length === PAGES_AT_ONCE) {
      await writeDuePages(storage, due);
      due = [];
    }
  }
  await writeDuePages(storage, due);
  await writeIndex(storage, all, { timeZone, signal });
  return report;
}

/** Selects the file that gets the content. If a file differs from the last write, it belongs to its owner. */
function placePage(
  page: Pick<DuePage, 'stored' | 'stem' | 'fingerprint' | 'content'> & { folder: string; row: PageRow | undefined },
  report: Counts,
): DuePage {
  const { folder, stored, row, stem, fingerprint, content } = page;
  const hash = hashOf(content);
  const state = stateOf(stored);
  const isRemoved = !existsSync(join(folder, pathOf(stem, 0)));
  let updateNumber = isRemoved ? 0 : (row?.updateNumber ?? 0);
  let path = pathOf(stem, updateNumber);
  const found = hashOfFile(join(folder, path));
  const isOwn = found === undefined || [hash, row?.writtenHash, row?.pendingHash].includes(found);
  // The owner has edited or removed the file, and the memory has no new version.
  const isLeft = row?.state === state && (!isOwn || (found === undefined && updateNumber > 0));
  if (!isOwn && !isLeft) {
    const edited = path;
    do path = pathOf(stem, ++updateNumber);
    while (existsSync(join(folder, path)));
    report.warnings.push({ memoryId: stored.memoryId, path: edited, reason: 'edited', writtenTo: path });
  }
  const isWritten = !isLeft && found !== hash;
  report[isWritten ? 'written' : 'unchanged'] += 1;
  const writtenHash = isLeft ? row.writtenHash : hash;
  return { stored, stem, updateNumber, state, fingerprint, writtenHash, pendingHash: hash, path, content, isWritten };
}

/** Records the content before the write, so that a run after a crash recognizes the file. */
async function writeDuePages({ database, folder }: MirrorStorage, due: readonly DuePage[]): Promise<void> {
  if (due.length === 0) return;
  const insert = database.prepare(
    `INSERT INTO pages (memory_key, stem, update_number, state, fingerprint, written_hash, pending_hash)
    VALUES (?, ?, ?, ?, ?, '', ?)
    ON CONFLICT (memory_key) DO UPDATE SET update_number = excluded.update_number, pending_hash = excluded.pending_hash`,
  );
  const finish = database.prepare(
    'UPDATE pages SET state = ?, fingerprint = ?, written_hash = ?, pending_hash = NULL WHERE memory_key = ?',
  );
  inTransaction(database, () => {
    for (const { stored, stem, updateNumber, pendingHash } of due) {
      insert.run(stored.memoryKey, stem, updateNumber, '', '', pendingHash);
    }
  });
  for (const { path, content, isWritten } of due) {
    await yieldToEventLoop();
    if (isWritten) writePrivateFile(join(folder, path), content);
  }
  inTransaction(database, () => {
    for (const { stored, state, fingerprint, writtenHash } of due) {
      finish.run(state, fingerprint, writtenHash, stored.memoryKey);
    }
  });
}

/** Writes the captions beside a recording, under the same name. Returns their path. */
function writeCaptions(folder: string, { media }: StoredMemory, memory: Memory): string | undefined {
  const recordings = [media.audio, media.video].filter((file) => file !== undefined);
  if (recordings.length === 0 || !memory.transcript?.segments.length) return undefined;
  const captions = toVtt(memory);
  const paths = recordings.map(({ path }) => captionsPath(path));
  for (const path of paths) {
    assertPathType('folder', dirname(join(folder, path)), 'write captions to');
    writeChangedFile(join(folder, path), captions);
  }
  return paths[0];
}

function captionsPath(mediaPath: string): string {
  return `${mediaPath.replace(/\.\w+$/, '')}.vtt`;
}

function linksOf({ media }: StoredMemory): { [Kind in MediaKind]?: string } {
  return Object.fromEntries(
    mediaKinds.flatMap((kind) => (media[kind] === undefined ? [] : [[kind, `../${media[kind].path}`]])),
  );
}

function newStem(memory: Memory, { date }: LocalTime, stems: Set<string>): string {
  const stem = pageStem(memory, date, (taken) => stems.has(stemKey(taken)));
  stems.add(stemKey(stem));
  return stem;
}

/** Returns the path of a page, relative to the folder of the mirror. */
export function pathOf(stem: string, updateNumber: number): string {
  return `pages/${stem}${updateNumber === 0 ? '' : ` (update ${updateNumber})`}.md`;
}

function stateOf({ version, isMissing }: StoredMemory): string {
  return `${version} ${isMissing ? 'missing' : 'listed'}`;
}

function fingerprintOf(stored: StoredMemory, timeZone: string): string {
  return JSON.stringify([FORMAT, stateOf(stored), timeZone, linksOf(stored)]);
}

function pageRows(database: MirrorDatabase): Map<number, PageRow> {
  const rows = database.prepare('SELECT * FROM pages').all();
  return new Map(
    rows.map((row) => [
      Number(row.memory_key),
      {
        stem: String(row.stem),
        updateNumber: Number(row.update_number),
        state: String(row.state),
        fingerprint: String(row.fingerprint),
        writtenHash: String(row.written_hash),
        pendingHash: row.pending_hash as string | null,
      },
    ]),
  );
}
