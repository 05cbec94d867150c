import type { Memory } from '@memory-read/client';
import { normalizeTranscript } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import type { MirrorStorage } from '../database/open-database.ts';
import type { DerivedFiles } from '../files/derived-files.ts';
import { hashOf } from '../files/file-content.ts';
import { NO_MEMORY } from '../files/file-tables.ts';
import { type StoredMemory, shortHash, textReader } from '../history/stored-memories.ts';
import { ifWhole } from '../history/stored-version.ts';
import { type IndexDetail, type IndexEntry, toScriptJson } from './index-data.ts';
import { toIndexHtml } from './index-html.ts';
import { type LocalTime, localTimeIn } from './local-time.ts';
import { digestOf, type PagePeople, readPagePeople } from './page-people.ts';

/** Folder of the scripts, beside `index.html`. */
const SCRIPTS = 'index';
/** Increase this number when the content of the scripts changes, so that they are written again. */
const FORMAT = 2;

/**
 * Writes `index.html` for the memories, and a script for each month that has changed. Returns the ids of the memories
 * that are left out because they are damaged.
 */
export async function writeIndex(
  { database }: MirrorStorage,
  files: DerivedFiles,
  memories: readonly StoredMemory[],
  {
    timeZone,
    signal,
    people = readPagePeople(database),
  }: { timeZone: string; signal?: AbortSignal | undefined; people?: PagePeople },
): Promise<string[]> {
  const toLocalTime = localTimeIn(timeZone);
  const readText = textReader(database);
  const months = new Map<string, StoredMemory[]>();
  // The index of the mirror can have another order within a second.
  const starts = new Map(memories.map((stored) => [stored, parseDateTime(stored.startedAt) ?? 0]));
  const startOf = (stored: StoredMemory) => starts.get(stored) ?? 0;
  let month = '';
  for (const stored of [...memories].sort((one, other) => startOf(other) - startOf(one))) {
    await yieldToEventLoop();
    const { date } = toLocalTime(startOf(stored));
    const own = date.slice(0, date.lastIndexOf('-'));
    // When clocks are set back over the end of a month, local times are not in the order of starts.
    if (!months.has(own)) {
      month = own;
      months.set(month, []);
    }
    months.get(month)?.push(stored);
  }

  for (const [month, stored] of months) {
    // A naming is not a new version.
    const version = digestOf([FORMAT, stored.map(dependsOf)]);
    const named = stored.flatMap(({ memoryKey, memoryId }) => {
      const names = people.names.get(memoryId);
      return names === undefined ? [] : [[memoryKey, names.digest]];
    });
    const depends = named.length === 0 ? version : digestOf([version, named]);
    const content = async () => {
      const details: IndexDetail[] = [];
      for (const one of stored) {
        await yieldToEventLoop();
        signal?.throwIfAborted();
        const memory = ifWhole(() => readText(one));
        if (memory !== undefined) details.push(detailOf(one, memory, people.names.get(one.memoryId)?.names));
      }
      return { text: `memoryReadMonth(${toScriptJson(month)}, ${toScriptJson(details)});\n` };
    };
    const part = `${scriptOf}${month}`;
    await files.put({ ...ofAll, part, stem: `${SCRIPTS}/${month}`, suffix: '.js', version, depends, content });
  }
  await removeOtherScripts(files, months);
  const shell = toIndexHtml({ folder: SCRIPTS, months: [], entries: [] });
  const shown = [...months].map(([month, stored]) => [month, stored.map((one) => [one.startedAt, dependsOf(one)])]);
  const names = people.people.map(({ name }) => name).sort();
  const depends = digestOf([shell, timeZone, shown, ...(names.length === 0 ? [] : [names])]);
  const file = { ...ofAll, part: 'index', stem: 'index', suffix: '.html', depends };
  const damaged: string[] = [];
  // Without a change, no text is read.
  if (files.isDue({ ...file, version: '' })) {
    const entriesOf = async (stored: readonly StoredMemory[]) => {
      const entries: IndexEntry[] = [];
      for (const one of stored) {
        await yieldToEventLoop();
        const memory = ifWhole(() => readText(one) ?? 'purged');
        if (memory === undefined) damaged.push(one.memoryId);
        else if (memory !== 'purged') entries.push(entryOf(one, memory, toLocalTime(startOf(one))));
      }
      return entries;
    };
    const list = { folder: SCRIPTS, months: [] as (readonly [string, number])[], entries: [] as IndexEntry[] };
    for (const [month, stored] of months) {
      const entries = await entriesOf(stored);
      list.months.push([month, entries.length]);
      list.entries.push(...entries);
    }
    const text = toIndexHtml(names.length === 0 ? list : { ...list, people: names });
    await files.put({ ...file, version: hashOf({ text: toIndexHtml(list) }), content: () => ({ text }) });
  }
  await files.flush();
  return damaged;
}

function entryOf(stored: StoredMemory, memory: Memory, { date, time }: LocalTime): IndexEntry {
  const { name, duration_seconds: seconds, is_processing: isProcessing, summary } = memory;
  const state = stored.isMissing ? 'deleted at the source' : isProcessing ? 'still processing' : '';
  return [shortHash(stored.memoryId), name, date, time, seconds, state, summary?.quick_summary ?? ''];
}

/** The stored fingerprints have these properties in this order. */
function dependsOf({ memoryKey, memoryId, version, isMissing, media }: StoredMemory) {
  const files = Object.entries(media).map(([kind, { path, contentType }]) => [kind, { path, contentType }]);
  return { memoryKey, memoryId, version, isMissing, media: Object.fromEntries(files) };
}

const ofAll = { memoryKey: NO_MEMORY, memoryId: '' };
/** Beginning of the part of a script; its month follows. */
const scriptOf = 'script ';

function detailOf(
  stored: StoredMemory,
  memory: Memory,
  names: Readonly<Record<string, string>> | undefined,
): IndexDetail {
  const speakers = new Map<string, number>();
  const segments: IndexDetail['segments'][number][] = [];
  for (const { start, speaker, text, segment } of normalizeTranscript(memory).cues) {
    const index = speakers.get(speaker) ?? speakers.size;
    speakers.set(speaker, index);
    segments[segment] = [start, index, text];
  }
  return {
    key: shortHash(stored.memoryId),
    takeaways: memory.summary?.key_takeaways ?? [],
    speakers: [...speakers.keys()],
    ...(names && { names: [...speakers.keys()].flatMap((label) => (names[label] ? [[label, names[label]]] : [])) }),
    segments,
    media: Object.fromEntries(
      mediaKinds.flatMap((kind) => (stored.media[kind] === undefined ? [] : [[kind, stored.media[kind].path]])),
    ),
  };
}

async function removeOtherScripts(files: DerivedFiles, months: ReadonlyMap<string, unknown>): Promise<void> {
  const others = files
    .rowsOf(NO_MEMORY)
    .filter(({ part }) => part.startsWith(scriptOf) && !months.has(part.slice(scriptOf.length)));
  const { left } = await files.remove(others);
  files.drop(others.filter(({ path }) => !left.includes(path)));
}
