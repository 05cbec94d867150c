import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Memory } from '@memory-read/client';
import { normalizeTranscript } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { mediaKinds } from '@memory-read/contract/fields';
import type { MirrorStorage } from '../database/open-database.ts';
import { hashOf, writeChangedFile, writePrivateFile } from '../files/write-private-file.ts';
import { type StoredMemory, shortHash, textReader } from '../history/stored-memories.ts';
import { ifWhole } from '../history/stored-version.ts';
import { type IndexDetail, type IndexEntry, toScriptJson } from './index-data.ts';
import { toIndexHtml } from './index-html.ts';
import { localTimeIn } from './local-time.ts';

/** Folder of the scripts, beside `index.html`. */
const SCRIPTS = 'index';
/** Increase this number when the content of the scripts changes, so that they are written again. */
const FORMAT = 2;

/** Writes `index.html` for the memories, and a script for each month that has changed. */
export async function writeIndex(
  { database, folder }: MirrorStorage,
  memories: readonly StoredMemory[],
  { timeZone, signal }: { timeZone: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const toLocalTime = localTimeIn(timeZone);
  const readText = textReader(database);
  const months = new Map<string, StoredMemory[]>();
  const entries = new Map<StoredMemory, IndexEntry>();
  // The index of the mirror can have another order within a second.
  const starts = new Map(memories.map((stored) => [stored, parseDateTime(stored.startedAt) ?? 0]));
  const startOf = (stored: StoredMemory) => starts.get(stored) ?? 0;
  let month = '';
  for (const stored of [...memories].sort((one, other) => startOf(other) - startOf(one))) {
    await yieldToEventLoop();
    const memory = ifWhole(() => readText(stored));
    if (memory === undefined) continue;
    const { date, time } = toLocalTime(startOf(stored));
    const own = date.slice(0, date.lastIndexOf('-'));
    // When clocks are set back over the end of a month, local times are not in the order of starts.
    if (!months.has(own)) {
      month = own;
      months.set(month, []);
    }
    months.get(month)?.push(stored);
    const { name, duration_seconds: seconds, is_processing: isProcessing, summary } = memory;
    const state = stored.isMissing ? 'deleted at the source' : isProcessing ? 'still processing' : '';
    const shown = summary?.quick_summary ?? '';
    entries.set(stored, [shortHash(stored.memoryId), name, date, time, seconds, state, shown]);
  }

  const written = new Map(
    database
      .prepare('SELECT month, fingerprint FROM index_scripts')
      .all()
      .map(({ month, fingerprint }) => [String(month), String(fingerprint)]),
  );
  const note = database.prepare('INSERT OR REPLACE INTO index_scripts (month, fingerprint) VALUES (?, ?)');
  for (const [month, stored] of months) {
    const path = join(folder, SCRIPTS, `${month}.js`);
    const fingerprint = hashOf(JSON.stringify([FORMAT, stored.map(({ startedAt: _, ...depends }) => depends)]));
    if (written.get(month) === fingerprint && existsSync(path)) continue;
    const details: IndexDetail[] = [];
    for (const one of stored) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      const memory = readText(one);
      if (memory !== undefined) details.push(detailOf(one, memory));
    }
    writePrivateFile(path, `memoryReadMonth(${toScriptJson(month)}, ${toScriptJson(details)});\n`);
    note.run(month, fingerprint);
  }
  removeOtherScripts({ database, folder }, months);
  const list = {
    folder: SCRIPTS,
    months: [...months].map(([month, stored]) => [month, stored.length] as const),
    entries: [...months.values()].flat().map((stored) => entries.get(stored) as IndexEntry),
  };
  writeChangedFile(join(folder, 'index.html'), toIndexHtml(list));
}

function detailOf(stored: StoredMemory, memory: Memory): IndexDetail {
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
    segments,
    media: Object.fromEntries(
      mediaKinds.flatMap((kind) => (stored.media[kind] === undefined ? [] : [[kind, stored.media[kind].path]])),
    ),
  };
}

function removeOtherScripts({ database, folder }: MirrorStorage, months: ReadonlyMap<string, unknown>): void {
  const scripts = join(folder, SCRIPTS);
  if (!existsSync(scripts)) return;
  for (const name of readdirSync(scripts)) {
    // Other files belong to the owner.
    const month = /^([+-]?\d{4,6}-\d\d)\.js$/.exec(name)?.[1];
    if (month === undefined || months.has(month)) continue;
    rmSync(join(scripts, name), { force: true });
    database.prepare('DELETE FROM index_scripts WHERE month = ?').run(month);
  }
}
