import type { MediaKind, Memory } from '@memory-read/client';
import { renameSpeakers, type SpeakerNames, toVtt } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import type { MirrorStorage } from '../database/open-database.ts';
import type { DerivedFile } from '../files/derived-file.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import type { DerivedFolder } from '../files/derived-folder.ts';
import { MIRROR_FOLDER } from '../files/file-tables.ts';
import { defaultTemplate, parseTemplate, type Template } from '../files/names.ts';
import { listStoredMemories, type StoredMemory, textReader } from '../history/stored-memories.ts';
import { ifWhole } from '../history/stored-version.ts';
import { noNames } from '../people/stored-names.ts';
import { type LocalTime, localTimeIn } from './local-time.ts';
import { digestOf, type PageNames, readPagePeople } from './page-people.ts';
import { toMarkdownPage } from './to-markdown-page.ts';
import { writeIndex } from './write-index.ts';
import { linkToPerson, writePeoplePages } from './write-people-pages.ts';

/** A file that belongs to its owner. The new version was written beside it. */
export interface PageWarning {
  /** Id of the memory; empty for `index.html` and its scripts, which are about all memories. */
  memoryId: string;
  /** Path of the file that stays, relative to the folder of the mirror. */
  path: string;
  /** Whether the mirror wrote the file and its owner edited it, or the mirror never wrote it. */
  reason: 'edited' | 'foreign';
  /** Path of the new file, relative to the folder of the mirror. */
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
  /** Ids of memories whose text is damaged. Their pages stay as they are. Absent if there are none. */
  damaged?: string[];
  /** Whether a reader kept the end of the run in the log, so that a plain copy of `mirror.sqlite` lacks it. */
  logPending: boolean;
}

type Counts = Omit<PagesReport, 'logPending'>;

/** Increase this number when pages look different, so that they are written again. */
const FORMAT = 3;

/** Writes the page of each memory of the range, its captions, the pages of all people, and `index.html` for all memories. */
export async function writePages(
  storage: MirrorStorage,
  {
    timeZone,
    isInRange,
    signal,
    onlyKnown = false,
  }: {
    timeZone: string;
    isInRange: (instant: number) => boolean;
    signal?: AbortSignal | undefined;
    /** Whether a memory that has no page yet gets none. */
    onlyKnown?: boolean;
  },
): Promise<Counts> {
  const { database } = storage;
  const toLocalTime = localTimeIn(timeZone);
  const report: Counts = { written: 0, unchanged: 0, warnings: [] };
  const files = await DerivedFiles.open(database, mirrorFolder(storage), {
    saved: ({ part }) => {
      if (part === 'page') report.written += 1;
    },
    kept: ({ memoryId }, kept) => void report.warnings.push({ memoryId, ...kept }),
  });
  const people = readPagePeople(database);
  const { paths } = await writePeoplePages(storage, files, people);
  const pathOf = (name: string) => linkToPerson(paths.get(name) ?? '');
  const readText = textReader(database);
  const all = listStoredMemories(database);
  let pages = 0;
  for (const stored of all) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const instant = parseDateTime(stored.startedAt) ?? 0;
    if (!isInRange(instant)) continue;
    const read = readOnce(() => ifWhole(() => readText(stored)));
    const known = files.stems.find(stored.memoryKey);
    const stem = known ?? (onlyKnown ? undefined : giveStem(files, stored, read(), toLocalTime(instant)));
    if (stem === undefined) continue;
    pages += 1;
    const named = people.names.get(stored.memoryId);
    const captions = captionsOf(stored, named);
    const page = pageOf(stored, { stem, timeZone, named, pathOf });
    const { names } = named ?? { names: noNames() };
    const isDue = files.isDue(page);
    for (const file of captions) {
      const isKnown = files.rowsOf(stored.memoryKey).some(({ part }) => part === file.part);
      if (isDue || isKnown) await files.put({ ...file, content: () => captionsText(read(), names) });
    }
    const content = () => {
      const memory = read();
      const path = hasCaptions(memory) && captions[0] && `../${captions[0].stem}${captions[0].suffix}`;
      const shown = { isMissing: stored.isMissing, media: linksOf(stored), captions: path || undefined };
      return memory && { text: toMarkdownPage({ memory, ...shown, names, pathOf }, toLocalTime) };
    };
    if (isDue) await files.put({ ...page, content });
  }
  await files.flush();
  report.unchanged = pages - report.written;
  const damaged = await writeIndex(storage, files, all, { timeZone, signal, people });
  return damaged.length === 0 ? report : { ...report, damaged };
}

/** The folder of a mirror, as that of its derived files. */
export function mirrorFolder({ folder, hardening }: MirrorStorage): DerivedFolder {
  return { folderKey: MIRROR_FOLDER, path: folder, isPrivate: true, hardening };
}

/** A page keeps its first name, because other pages and programs link to it. */
function giveStem(
  { stems }: DerivedFiles,
  { memoryKey }: StoredMemory,
  memory: Memory | undefined,
  local: LocalTime,
): string | undefined {
  return memory && stems.give(memoryKey, { basis: '', template: pageTemplate }, memory, local);
}

const pageTemplate = parseTemplate(`pages/${defaultTemplate}`) as Template;

function readOnce<Value>(read: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

type Described = Omit<DerivedFile, 'content'>;

function pageOf(
  stored: StoredMemory,
  {
    stem,
    timeZone,
    named,
    pathOf,
  }: { stem: string; timeZone: string; named: PageNames | undefined; pathOf: (name: string) => string },
): Described {
  const { memoryKey, memoryId } = stored;
  const version = stateOf(stored);
  // A page without names depends on the same as before there were names, so that it is not written again.
  const people = named && [digestOf([named.digest, Object.values(named.names).map(pathOf).sort()])];
  const depends = JSON.stringify([FORMAT, version, timeZone, linksOf(stored), ...(people ?? [])]);
  return { memoryKey, memoryId, part: 'page', stem, suffix: '.md', version, depends };
}

/** Returns the captions of each recording. They are beside it, under the same name. */
function captionsOf({ memoryKey, memoryId, version, media }: StoredMemory, named: PageNames | undefined): Described[] {
  const recordings = [media.audio, media.video].filter((file) => file !== undefined);
  return recordings.map(({ path }) => {
    const stem = path.replace(/\.\w+$/, '');
    const depends = JSON.stringify([FORMAT, version, ...(named === undefined ? [] : [named.digest])]);
    return { memoryKey, memoryId, part: `captions ${stem}`, stem, suffix: '.vtt', version: String(version), depends };
  });
}

function captionsText(memory: Memory | undefined, names: SpeakerNames): { text: string } | undefined {
  return memory && hasCaptions(memory) ? { text: toVtt(renameSpeakers(memory, names)) } : undefined;
}

function hasCaptions(memory: Memory | undefined): boolean {
  return (memory?.transcript?.segments.length ?? 0) > 0;
}

function linksOf({ media }: StoredMemory): { [Kind in MediaKind]?: string } {
  return Object.fromEntries(
    mediaKinds.flatMap((kind) => (media[kind] === undefined ? [] : [[kind, `../${media[kind].path}`]])),
  );
}

function stateOf({ version, isMissing }: StoredMemory): string {
  return `${version} ${isMissing ? 'missing' : 'listed'}`;
}
