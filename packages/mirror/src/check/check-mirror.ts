import { join } from 'node:path';
import type { MediaKind } from '@memory-read/client';
import { searchTexts } from '@memory-read/client/search';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { openExisting } from '../database/open-existing.ts';
import { digestFile, stampOf } from '../files/digest-file.ts';
import { readRows } from '../files/file-rows.ts';
import { ANY_BYTES, MIRROR_FOLDER } from '../files/file-tables.ts';
import { statusOfMedia } from '../files/media-file.ts';
import { listHistory } from '../history/list-history.ts';
import { isMediaPath } from '../history/stored-memories.ts';
import { ifWhole, isDamage, readVersion } from '../history/stored-version.ts';
import { keysOf } from '../search/index-keys.ts';
import { toUnit } from '../search/read-unit.ts';
import { damagedNames } from './check-people.ts';
import type { CheckReport, Damage } from './check-types.ts';
import { hasAllWords } from './has-all-words.ts';

type CheckedStorage = Pick<MirrorStorage, 'database' | 'folder'>;

interface CheckSettings {
  signal: AbortSignal | undefined;
  readOnly: boolean;
}

/** Times to read a mirror that others write meanwhile. */
const MAXIMUM_READS = 5;

/**
 * Reads everything in a mirror, and returns what is not as it was written. A write beside it looks like damage, so that
 * only damage that stays counts.
 */
export async function checkMirror(storage: CheckedStorage, settings: CheckSettings): Promise<CheckReport> {
  let known: CheckReport | undefined;
  for (let reads = 1; ; reads += 1) {
    const before = writesOf(storage.database);
    const report = await readAll(storage, settings);
    if (report.damaged.length === 0 || writesOf(storage.database) === before) return report;
    const stays = new Set((known ?? report).damaged.map(keyOf));
    known = { ...report, damaged: report.damaged.filter((damage) => stays.has(keyOf(damage))) };
    if (reads === MAXIMUM_READS) return known;
  }
}

/** Returns a text that is another one after any connection has written. */
function writesOf(database: MirrorDatabase): string {
  const { data_version } = database.prepare('PRAGMA data_version').get() ?? {};
  const { own } = database.prepare('SELECT total_changes() AS own').get() ?? {};
  return `${data_version} ${own}`;
}

/** Identifies what is damaged. */
export const keyOf = ({ memoryId, part, version, path }: Damage) => JSON.stringify([memoryId, part, version, path]);

async function readAll(storage: CheckedStorage, { signal, readOnly }: CheckSettings): Promise<CheckReport> {
  signal?.throwIfAborted();
  const report: CheckReport = { memories: 0, versions: 0, media: 0, damaged: [] };
  const note = (damage: Partial<Damage> & Pick<Damage, 'part'>) => {
    report.damaged.push({ memoryId: null, version: null, path: null, ...damage });
  };
  try {
    await checkMemories(storage.folder, { signal, report, note });
    await checkMedia(storage, { signal, readOnly, report, note });
    await checkFiles(storage, { signal, note });
  } catch (error) {
    signal?.throwIfAborted();
    // SQLite cannot read a table to its end.
    if (!isDamage(error)) throw error;
    if (!report.damaged.some(({ part }) => part === 'database')) note({ part: 'database' });
  }
  return report;
}

type Note = (damage: Partial<Damage> & Pick<Damage, 'part'>) => void;

/**
 * Reads the memories and their index in one state, through a connection of its own. A connection that has read the index
 * takes what others wrote meanwhile for damage.
 */
async function checkMemories(
  folder: string,
  { signal, report, note }: Pick<CheckSettings, 'signal'> & { report: CheckReport; note: Note },
): Promise<void> {
  const database = openExisting(folder, { readOnly: true });
  try {
    database.exec('BEGIN');
    for (const part of partsOf(integrityFaults(database))) note({ part });
    for (const memory of database.prepare('SELECT * FROM memories ORDER BY memory_key').all()) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      report.memories += 1;
      report.versions += checkMemory(database, memory, note);
    }
    const unread = new Set(report.damaged.map(({ memoryId, part }) => (part === 'version' ? memoryId : null)));
    for (const memoryId of await damagedNames(database, (memoryId) => unread.has(memoryId))) {
      const isNoted = report.damaged.some((damage) => damage.part === 'database' && damage.memoryId === memoryId);
      if (!isNoted) note({ memoryId, part: 'database' });
    }
    if (!report.damaged.some(({ part }) => part === 'index') && !(await hasAllWords(database))) note({ part: 'index' });
  } finally {
    database.close();
  }
}

/** Returns the messages of SQLite about the structure of the database, also about that of its indexes of words. */
function integrityFaults(database: MirrorDatabase): string[] {
  try {
    const rows = database.prepare('PRAGMA integrity_check').all();
    return rows.map(({ integrity_check }) => String(integrity_check)).filter((message) => message !== 'ok');
  } catch (error) {
    if (!isDamage(error)) throw error;
    return ['damaged'];
  }
}

function partsOf(faults: readonly string[]): Set<'index' | 'database'> {
  return new Set(faults.map((fault) => (/\b(memory_)?words|\bunits\b/.test(fault) ? 'index' : 'database')));
}

/** Returns the number of versions. */
function checkMemory(database: MirrorDatabase, memory: Record<string, unknown>, note: Note): number {
  const { memory_key, current_version, indexed_version, missing_since } = memory;
  const memoryId = String(memory.memory_id);
  const versions = database
    .prepare('SELECT version_key, version FROM versions WHERE memory_key = ? ORDER BY version')
    .all(Number(memory_key));
  const read = database.prepare('SELECT * FROM versions WHERE version_key = ?');
  for (const { version_key, version } of versions) {
    const content = ifWhole(() => readVersion({ ...read.get(Number(version_key)), memory_id: memoryId }));
    if (content === undefined) note({ memoryId, part: 'version', version: Number(version) });
    else if (version === indexed_version && !isIndexed(database, memory, searchTexts(content))) {
      note({ memoryId, part: 'index', version: Number(version) });
    }
  }
  const events = ifWhole(() => listHistory(database, memoryId));
  const changes = events?.filter(({ type }) => type === 'added' || type === 'changed').map(({ version }) => version);
  const last = events?.at(-1);
  const isConsistent =
    String(changes) === String(versions.map(({ version }) => version)) &&
    changes?.at(-1) === current_version &&
    changes?.includes(Number(indexed_version)) &&
    missing_since === (last?.type === 'missing' ? last.at.getTime() : null);
  if (!isConsistent) note({ memoryId, part: 'database' });
  return versions.length;
}

/** Returns whether the index has the texts of a memory. */
function isIndexed(
  database: MirrorDatabase,
  { start_slot, disambiguator }: Record<string, unknown>,
  texts: ReturnType<typeof searchTexts>,
): boolean {
  const { first, last } = keysOf(Number(start_slot), Number(disambiguator));
  const find = database.prepare('SELECT * FROM units WHERE unit_key BETWEEN ? AND ? ORDER BY unit_key DESC');
  find.setReadBigInts(true);
  const units = find.all(first, last).map(toUnit);
  return (
    units.length === texts.length &&
    texts.every(({ kind, speaker, text }, index) => {
      const unit = units[index];
      // SQLite replaces lone surrogates.
      return (
        unit?.kind === kind &&
        unit.speaker?.toWellFormed() === speaker?.toWellFormed() &&
        unit.text === text.toWellFormed()
      );
    })
  );
}

/** Reads the recordings. One that was never read gets its digest. */
async function checkMedia(
  { database, folder }: CheckedStorage,
  { signal, readOnly, report, note }: CheckSettings & { report: CheckReport; note: Note },
): Promise<void> {
  const rows = database.prepare('SELECT media.*, memory_id FROM media JOIN memories USING (memory_key)').all();
  for (const { kind, path, size, sha256, memory_id } of rows) {
    await yieldToEventLoop();
    report.media += 1;
    const isOwn = isMediaPath(String(path), memory_id, kind) && statusOfMedia(folder, String(path)) !== undefined;
    const found = isOwn ? await digestFile(join(folder, String(path)), signal) : undefined;
    if (found === undefined || found.size !== size || found.sha256 !== (sha256 ?? found.sha256)) {
      note({ memoryId: String(memory_id), part: kind as MediaKind, path: String(path) });
    } else if (sha256 == null && !readOnly) {
      database.prepare('UPDATE media SET sha256 = ? WHERE path = ?').run(found.sha256, String(path));
    }
  }
}

/** Reads the pages. A page that its owner edited has another stamp; one with other bytes and the same stamp is damaged. */
async function checkFiles(
  { database, folder }: CheckedStorage,
  { signal, note }: { signal: AbortSignal | undefined; note: Note },
): Promise<void> {
  const find = database.prepare('SELECT memory_id FROM memories WHERE memory_key = ?');
  for (const [memoryKey, rows] of readRows(database, MIRROR_FOLDER)) {
    for (const { path, stamp, written, isEdited } of rows) {
      await yieldToEventLoop();
      if (isEdited || written === null || written === ANY_BYTES || stampOf(join(folder, path)) !== stamp) continue;
      const found = await digestFile(join(folder, path), signal);
      if (found?.stamp !== stamp || found.sha256 === written) continue;
      note({ memoryId: (find.get(memoryKey)?.memory_id as string | undefined) ?? null, part: 'page', path });
    }
  }
}
